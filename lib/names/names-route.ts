import { type Address, checksumAddress } from 'viem'
import { z } from 'zod'
import { hasNames, namesChainId } from '../config/features.ts'
import { fetchGateway } from '../engine/gateway-address.ts'
import { type HostRequest, type HostResponse, json, refuse } from '../http.ts'
import { createWindowCount } from '../limits/window-count.ts'
import { namesPath } from '../public-names.ts'
import type { ProtectedCall } from '../sign-in/contract.ts'
import {
  type FetchGateways,
  LookUp,
  NameError,
  type NameEvidence,
  type NameFailure,
  normalName,
} from './universal-resolver.ts'

z.config({ jitless: true })

export interface NamesOptions {
  /** Null where nothing outside of the chain can be asked: on the edge host, which cannot choose what it connects to. */
  readonly fetchGateways: FetchGateways | null
  readonly chainIds: () => readonly number[]
  /** Reads on behalf of one caller, whose budget pays for them. */
  readonly createCall: (caller: string | null) => ProtectedCall
  readonly now: () => number
}

/** What a name leads to on one chain. */
export interface NameAnswer extends NameEvidence {
  /** As ENSIP-15 writes it. */
  readonly name: string
  readonly address: Address | null
  /** Where the name has no address for this chain: its address on chain 1, which others may own here. */
  readonly mainnetAddress: Address | null
}

/** There is no answer. */
export interface Unread {
  readonly why: NameFailure
}

/** Look-ups: of a caller, and of all where callers cannot be told apart. */
export const lookUpsMax = { windowMs: 60_000, perCallerMax: 60, perSiteMax: 600 }

const chainId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
// On the edge host Next adds its own to the query.
const query = z.union([
  z.object({ name: z.string(), chain: chainId }),
  z.object({
    address: z
      .string()
      .regex(/^0x[0-9a-f]{40}$/i)
      .transform((text) => checksumAddress(text as Address)),
    chain: chainId,
  }),
])

/** Looks names up: for pages, and as a route for browsers. The same in both hosts. `answer` never throws. */
export function createNames({ fetchGateways, chainIds, createCall, now }: NamesOptions) {
  const lookUps = createWindowCount(lookUpsMax, now)
  /** Bounds how many there are, and has a failure as a value. */
  async function look<Found>(caller: string | null, find: (lookUp: LookUp) => Promise<Found>) {
    if (lookUps.count(caller).isOver) return { why: 'busy' } as const
    const lookUp = new LookUp({ fetchGateways, call: createCall(caller) })
    try {
      return { ...(await find(lookUp)), ...lookUp.evidence() }
    } catch (cause) {
      if (!(cause instanceof NameError)) throw cause
      return { why: cause.why }
    }
  }

  const find = async (text: string, chainId: number, caller: string | null): Promise<NameAnswer | Unread> => {
    const name = normalName(text)
    if (name === null) return { why: 'no-name' }
    return look(caller, async (lookUp) => {
      const address = await lookUp.addressOf(name, chainId)
      const isElsewhere = address === null && chainId !== namesChainId
      return {
        name,
        address,
        mainnetAddress: isElsewhere ? await lookUp.addressOf(name, namesChainId) : null,
      }
    })
  }

  return {
    async answer({ method, query: text, caller }: HostRequest): Promise<HostResponse> {
      if (method !== 'GET') return refuse(405, 'method not allowed', { allow: 'GET' })
      const { data } = query.safeParse(Object.fromEntries(new URLSearchParams(text)))
      if (data === undefined || !hasNames(chainIds()) || !chainIds().includes(data.chain))
        return refuse(400, 'the query must be name or address, and chain')
      const found =
        'name' in data
          ? await find(data.name, data.chain, caller)
          : await look(caller, async (lookUp) => ({ name: await lookUp.nameOf(data.address, data.chain) }))
      if (!('why' in found)) return json(200, found)
      return json(statusOf[found.why] ?? 200, { error: `no name: ${found.why}`, why: found.why })
    },
  }
}

/** Of what is the caller's doing. The rest is an answer like others: a browser reports a page whose request fails. */
const statusOf: Partial<Record<NameFailure, number>> = { 'no-name': 400, busy: 429 }

/** How long a page waits for a name. */
const pageMsMax = 8_000

/** Looks a name up for a page. */
export async function findName(name: string, chainId: number): Promise<NameAnswer | Unread> {
  const path = `${namesPath}?${new URLSearchParams({ name, chain: String(chainId) })}`
  const response = await fetchGateway(path, { signal: AbortSignal.timeout(pageMsMax) }, 'own').catch(
    () => null,
  )
  const body = (await response?.json().catch(() => null)) as NameAnswer | Unread | null | undefined
  return body && ('address' in body || 'why' in body) ? body : { why: 'unreachable' }
}
