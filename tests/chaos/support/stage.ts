import { afterAll, beforeAll, expect } from 'vitest'
import { type Nodes, startNodes } from '../../../demo/nodes/start.ts'
import type { Host, HostKind, HostOptions } from '../../support/host.ts'
import { until } from '../../support/until.ts'
import { asWaves, isLook, type NodeRequest } from './asks.ts'
import { sampleOf } from './samples.ts'
import { chainIdOf, placed, type Reply, says, type Written } from './script.ts'

export interface CaseOptions {
  readonly quorum?: number
  readonly operatorsMin?: number
  readonly headMaxAgeMs?: number
  readonly deadlineMs?: number
  readonly stallMs?: number
  readonly protect?: { readonly methods?: readonly string[]; readonly contracts?: readonly string[] }
}

/** An HTTP answer with its duration. */
export interface Answered {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly ms: number
}

/** One case: its own chain on the host, with new nodes. */
export interface Case {
  readonly chainId: number
  readonly nodes: Readonly<Record<string, Written>>
  /** Asks once and returns the answer; `requests` then has the requests to the nodes. */
  readonly ask: (
    method: string,
    params?: readonly unknown[],
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answered>
  /** The same, and expects the nodes to be asked in these waves: 'a+b c'. */
  readonly askInWaves: (waves: string, method: string, params?: readonly unknown[]) => Promise<Answered>
  /** Calls since the last `ask`, without head looks. */
  readonly requests: () => readonly NodeRequest[]
  /** Number of head looks since the start. */
  readonly looks: () => number
  /** What the runbook says: `POST /api/rpc/nodes/{chainId}/{name}`. Returns the status. */
  readonly cordon: (name: string) => Promise<number>
  readonly state: () => Promise<ChainState>
  readonly certificate: (answer: Answered) => Promise<Certificate>
}

export interface Certificate {
  readonly method: string
  readonly policy: string
  readonly isThin: boolean
  readonly groups: readonly { readonly text: string; readonly nodes: readonly string[] }[]
}

/** Only a call that waits for a stall takes this long. */
export const longStallMs = 6000
/** Answered at once: far below a stall, even on a busy machine. */
export const atOnceMs = 3000

const token = 'the-token-of-the-operator'
const authorization = `Bearer ${token}`

/** One host with one chain per case. Cases are collected with the tests and start before the first one. */
export function stageOn(kind: HostKind, start: (kind: HostKind, options: HostOptions) => Promise<Host>) {
  const written: { readonly chainId: number; readonly scripts: readonly Named[]; options: CaseOptions }[] = []
  const asksByChain = new Map<number, NodeRequest[]>()
  let host: Host
  let nodes: Nodes

  beforeAll(async () => {
    nodes = await startNodes({
      nodes: written.flatMap(({ chainId, scripts }) =>
        scripts.map((script) => ({
          name: `${chainId}-${script.name}`,
          faultProfile: script.faultProfile ?? {
            kind: 'scripted' as const,
            answer: playOf(script, chainId, asksByChain.get(chainId) ?? []),
          },
        })),
      ),
    })
    const chains = written.map(({ chainId, scripts, options: { stallMs = longStallMs, ...options } }) => ({
      id: chainId,
      ...options,
      nodes: scripts.map(({ name, operator, weight, role, stallMs: own }, index) => ({
        name,
        url: nodes.node(`${chainId}-${name}`).url,
        priority: index + 1,
        stallMs: own ?? stallMs,
        ...(operator !== undefined && { operator }),
        ...(weight !== undefined && { weight }),
        ...(role !== undefined && { role }),
      })),
    }))
    host = await start(kind, { config: { chains, rate: null }, env: { OPERATOR_TOKEN: token } })
  })
  afterAll(() => nodes?.stop())

  /** What the host says to its operator on one of its routes. */
  const read = async (path: string): Promise<string> => {
    const response = await fetch(`${host.url}/api/rpc/${path}`, { headers: { authorization } })
    return response.text()
  }
  const fetchJson = async (path: string): Promise<unknown> => JSON.parse(await read(path))

  const stateOf = async (chainId: number) => {
    const { chains } = (await fetchJson('snapshot')) as Snapshot
    return chains.find((chain) => chain.chainId === chainId) as ChainState
  }
  const areIdle = async (chainId: number) =>
    (await stateOf(chainId)).nodes.every(({ inFlight }) => inFlight === 0)
  const areUsable = async (chainId: number) =>
    (await stateOf(chainId)).nodes.every(({ state }) => state === 'usable')

  return {
    read,
    chain(scripts: readonly (Reply | Written)[], options: CaseOptions = {}): Case {
      const chainId = 1001 + written.length
      const named = scripts.map((script, index) => ({
        ...(typeof script === 'function' ? { reply: script } : script),
        name: (typeof script === 'function' ? undefined : script.name) ?? String.fromCharCode(97 + index),
      }))
      const requests: NodeRequest[] = []
      asksByChain.set(chainId, requests)
      written.push({ chainId, scripts: named, options })
      let from = 0
      const calls = () => requests.slice(from).filter(({ call }) => !isLook(call))

      async function ask(
        method: string,
        params: readonly unknown[] = sampleOf(method),
        headers: Readonly<Record<string, string>> = {},
      ): Promise<Answered> {
        from = requests.length
        const startMs = performance.now()
        const response = await fetch(`${host.url}/api/rpc/${chainId}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        })
        const { jsonrpc, id, ...text } = (await response.json()) as Record<string, unknown>
        expect([jsonrpc, id]).toEqual(['2.0', 1])
        const ms = performance.now() - startMs
        return { ...text, status: response.status, headers: Object.fromEntries(response.headers), ms }
      }

      async function askInWaves(
        waves: string,
        method: string,
        params?: readonly unknown[],
      ): Promise<Answered> {
        const wanted = waves === '' ? 0 : waves.split(/[ +]/).length
        // The head is read first, so that the time is that of the call alone. A node that still owes a reply would be asked out of turn.
        await ask('eth_blockNumber')
        await until(() => areIdle(chainId))
        let answer = await ask(method, params)
        const asked = () => asWaves(calls(), waves, options.stallMs ?? longStallMs)
        // One call in a hundred audits another node, or asks the last one early; on a busy machine a node may be out of use for a
        // moment. Then try again, once all nodes are usable.
        const isOff = () => calls().length !== wanted || asked().includes('(early)')
        for (let again = 0; again < 2 && isOff(); again++) {
          await until(() => areUsable(chainId))
          answer = await ask(method, params)
        }
        expect(asked()).toBe(waves)
        return answer
      }

      return {
        chainId,
        nodes: Object.fromEntries(named.map((script) => [script.name, script])),
        ask,
        askInWaves,
        requests: calls,
        looks: () => requests.filter(({ call }) => isLook(call)).length,
        async cordon(name) {
          const { status } = await fetch(`${host.url}/api/rpc/nodes/${chainId}/${name}`, {
            method: 'POST',
            headers: { authorization, 'content-type': 'application/json' },
            body: JSON.stringify({ action: 'cordon' }),
          })
          return status
        },
        state: () => stateOf(chainId),
        certificate: async ({ headers }) =>
          (await fetchJson(`answers/${headers['x-quorate-answer']}`)) as Certificate,
      }
    },
  }
}

type Named = Written & { readonly name: string }

/** A chain in the operator's snapshot. */
export interface ChainState {
  readonly chainId: number
  readonly nodes: readonly { readonly name: string; readonly state: string; readonly inFlight: number }[]
}

interface Snapshot {
  readonly chains: readonly ChainState[]
}

/** The replies of a node, with the times of each call and answer. */
function playOf(script: Named, chainId: number, requests: NodeRequest[]) {
  return async (call: NodeRequest['call']) => {
    const canned =
      script.on?.[call.method]?.(call) ??
      (call.method === 'eth_chainId' ? chainIdOf(chainId) : null) ??
      placed(script, call) ??
      (script.reply ?? says('0x0'))(call)
    const note: NodeRequest = { node: script.name, call, atMs: performance.now(), saidMs: null }
    requests.push(note)
    if (canned.hang !== true) note.saidMs = note.atMs + (canned.delayMs ?? 0)
    return canned
  }
}
