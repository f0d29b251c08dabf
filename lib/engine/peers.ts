import { z } from 'zod'
import type { Gateway } from '#rpc-proxy'

/** The other processes of this service. What they say to each other is kept nowhere; a process that hears nobody goes by what it knows. */
export interface Peers {
  /** Says something to all others, who may not hear it. Never waits. */
  readonly send: (kind: string, value: unknown) => void
  /** `take` is called with what the others say of a kind. */
  readonly on: (kind: string, take: (value: unknown) => void) => void
  /** Called when another process may not know what this one does: one has come, or they can hear each other again. */
  readonly onJoin: (join: () => void) => void
  /** Whether the others can be heard, as far as this process knows. */
  readonly isJoined: () => boolean
}

const cordon = z.object({
  chainId: z.number(),
  node: z.string(),
  isCordoned: z.boolean(),
  by: z.string().nullable(),
  atMs: z.number(),
})

/** Cordons of all processes: the latest action on a node holds, at whichever process it was done. Returns the function that cordons here. */
export function shareCordons(
  gateway: Pick<Gateway, 'cordon'>,
  peers: Peers,
  now: () => number,
): Gateway['cordon'] {
  const last = new Map<string, z.output<typeof cordon>>()
  const keyOf = ({ chainId, node }: { chainId: number; node: string }) => `${chainId} ${node}`

  peers.on('cordons', (value) => {
    for (const each of z.array(cordon).safeParse(value).data ?? []) {
      if (each.atMs <= (last.get(keyOf(each))?.atMs ?? 0)) continue
      const { chainId, node, isCordoned, by } = each
      if (gateway.cordon(chainId, node, isCordoned, by)) last.set(keyOf(each), each)
    }
  })
  peers.onJoin(() => {
    if (last.size > 0) peers.send('cordons', [...last.values()])
  })

  return (chainId, node, isCordoned, by = null) => {
    const isDone = gateway.cordon(chainId, node, isCordoned, by)
    if (!isDone) return false
    const key = keyOf({ chainId, node })
    // Later than the previous change, even if that came from a replica whose clock is ahead.
    const own = { chainId, node, isCordoned, by, atMs: Math.max(now(), (last.get(key)?.atMs ?? 0) + 1) }
    last.set(key, own)
    peers.send('cordons', [own])
    return true
  }
}

/** How long another process may take to find a certificate. */
const certificateMsMax = 1_000
/** No id is longer, and the others are not asked for what is none. */
const idCharsMax = 64

const identified = z.looseObject({ id: z.string() })

/** Finds the certificate of an answer that another process gave. `own` finds those of this one. */
export function shareCertificates<Found extends { readonly id: string }>(
  own: (id: string) => Found | null,
  peers: Peers,
): (id: string) => Promise<Found | null> {
  const waiting = new Map<string, { readonly found: Promise<Found | null>; readonly end: Resolve<Found> }>()

  peers.on('certificate-wanted', (value) => {
    const { data } = identified.safeParse(value)
    const found = data === undefined ? null : own(data.id)
    if (found !== null) peers.send('certificate', found)
  })
  peers.on('certificate', (value) => {
    const { data } = identified.safeParse(value)
    if (data !== undefined) waiting.get(data.id)?.end(data as unknown as Found)
  })

  return (id) => {
    const known = waiting.get(id)
    if (known !== undefined) return known.found
    if (id.length > idCharsMax) return Promise.resolve(null)
    let end: Resolve<Found> = () => {}
    const found = new Promise<Found | null>((resolve) => {
      end = resolve
    })
    waiting.set(id, { found, end })
    const timer = setTimeout(end, certificateMsMax, null)
    peers.send('certificate-wanted', { id })
    return found.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }
}

type Resolve<Found> = (found: Found | null) => void
