import { setTimeout as pause } from 'node:timers/promises'

/** What the gateway itself counts, read before and after a run; null without its operator's token. */
export async function readRequests(
  origin: string,
): Promise<{ readonly requests: number; readonly calls: number } | null> {
  const token = process.env.OPERATOR_TOKEN
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${origin}/api/rpc/metrics`, { headers }).catch(() => null)
  if (response?.status !== 200) return null
  const text = await response.text()
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    )
  return { requests: sum('quorate_requests_per_call_sum'), calls: sum('quorate_requests_per_call_count') }
}

interface Listed {
  readonly nodes: readonly {
    readonly chain?: number
    readonly name: string
    readonly faultProfile: unknown
  }[]
}

/** Gives the nodes of one name a fault profile, by the control port of the local chains. Returns what undoes it. */
async function setFault(
  controlUrl: string,
  faultProfile: string | object,
  name: string,
): Promise<() => Promise<void>> {
  const chosen = (await listNodes(controlUrl)).filter((node) => node.name === name)
  const give = async (node: Listed['nodes'][number], wanted: unknown) => {
    const response = await fetch(controlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chain: node.chain, node: node.name, faultProfile: wanted }),
    })
    if (!response.ok) throw new Error(await response.text())
  }
  await Promise.all(chosen.map((node) => give(node, faultProfile)))
  return async () => void (await Promise.all(chosen.map((node) => give(node, node.faultProfile))))
}

const faults: readonly (string | object)[] = [
  ...['hanging', 'lying', 'down', { kind: 'slow', delayMs: 1200, jitterMs: 400 }],
  ...[
    { kind: 'resetting', at: 'body' },
    { kind: 'erring', status: 503, message: 'unavailable' },
  ],
  ...['html', 'wrong-id', 'invalid-utf8', 'short-batch', 'redirect'].map((form) => ({
    kind: 'garbage',
    form,
  })),
  ...[
    { kind: 'flapping', upMs: 700, downMs: 700 },
    { kind: 'trickling', bytes: 4, everyMs: 50 },
  ],
]
const rotateMs = 5_000

/** Gives the next node the next fault every few seconds and heals the one before, until `end`. */
export function rotateFaults(controlUrl: string): { readonly end: () => Promise<void> } {
  const over = new AbortController()
  const rotate = async () => {
    const names = [...new Set((await listNodes(controlUrl)).map(({ name }) => name))]
    for (let turn = 0; !over.signal.aborted; turn++) {
      const [fault = '', name = ''] = [faults[turn % faults.length], names[turn % names.length]]
      const restore = await setFault(controlUrl, fault, name)
      await pause(rotateMs, undefined, { signal: over.signal }).catch(() => {})
      await restore()
    }
  }
  const ended = rotate()
  return {
    end() {
      over.abort()
      return ended
    },
  }
}

async function listNodes(controlUrl: string): Promise<Listed['nodes']> {
  return ((await (await fetch(controlUrl)).json()) as Listed).nodes
}
