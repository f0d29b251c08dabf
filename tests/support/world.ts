import { expect } from 'vitest'
import {
  type ChainConfig,
  type Config,
  createGateway,
  type EngineEvent,
  type Gateway,
  type NodeConfig,
  type NodePeers,
  parseConfig,
  type Send,
  SendFault,
} from '#rpc-proxy'
import { fails, type ReceivedCall, type Reply, says, type TimedReply } from './replies.ts'
import { blockAt, type CacheScope, emptyBloom, hex } from './scripted-chain.ts'
import { type VirtualClock, virtualClock } from './virtual-clock.ts'

/** A scripted node: its configuration, its chain state and its replies. */
export interface Script extends Partial<CacheScope>, Partial<Omit<NodeConfig, 'url'>> {
  readonly chainId?: number
  /** Reply to every method without an entry in `on` or an answer of the chain. */
  readonly reply?: Reply
  readonly on?: Readonly<Record<string, Reply>>
  readonly bloom?: (number: number) => string
  /** Its transport ignores aborts and delivers late replies. */
  readonly ignoresAbort?: boolean
}

/** A node of a running world. A test may change all fields at any time. */
export type ScriptedNode = ReturnType<typeof createNode>

export interface SentRequest extends ReceivedCall {
  readonly node: string
  readonly atMs: number
  readonly body: string
  readonly bytesMax: number
  readonly headers: Readonly<Record<string, string>>
  /** How it ended for the engine; null while in flight. */
  end: 'answered' | 'aborted' | null
}

export interface World {
  readonly clock: VirtualClock
  readonly gateway: Gateway
  readonly chainId: number
  readonly nodes: Readonly<Record<string, ScriptedNode>>
  readonly requests: SentRequest[]
  readonly events: EngineEvent[]
  /** Time of the last call of the test, and the number of requests before it. */
  start: { readonly ms: number; readonly requests: number }
  /** The test expects broken invariants. */
  breachesExpected: boolean
}

/** Settings of the chain, and of everything. */
export interface WorldOptions
  extends Partial<Omit<ChainConfig, 'id' | 'protect' | 'checkpoint' | 'proofs' | 'nodes'>> {
  /** That of other engines beside this one. */
  readonly clock?: VirtualClock
  readonly chainId?: number
  readonly protect?: object
  readonly checkpoint?: object
  readonly proofs?: string
  readonly limits?: object
  readonly methods?: object
  readonly rate?: object | null
  /** Random numbers. The default 0.5 starts no audit and keeps ties in order. */
  readonly random?: () => number
  /** Other engines that send to the same nodes. */
  readonly nodePeers?: NodePeers
  /** The observer of the host. */
  readonly observe?: (event: EngineEvent) => void
}

const worlds: World[] = []

/** After every test: nothing in flight, no timers that renew themselves forever, no broken invariant. */
export async function expectRest(): Promise<void> {
  for (const world of worlds.splice(0)) {
    await world.clock.advance(3_600_000)
    expect(world.requests.filter(({ end }) => end === null)).toEqual([])
    expect(world.clock.pending()).toBe(0)
    if (!world.breachesExpected) expect(world.events.filter(({ type }) => type === 'breach')).toEqual([])
    world.gateway.close()
  }
}

/** An engine with scripted nodes `a`, `b`, `c` … in order of priority, and a virtual clock. */
export function worldOf(scripts: readonly (Reply | Script)[], options: WorldOptions = {}): World {
  const {
    chainId = 1,
    limits = {},
    methods = {},
    rate = null,
    random = () => 0.5,
    observe,
    nodePeers,
    clock = virtualClock(),
    ...chain
  } = options
  const named = scripts.map((script, index) => {
    const written: Script = typeof script === 'function' ? { reply: script } : script
    return { ...written, name: written.name ?? String.fromCharCode(97 + index), index }
  })
  const config = parseConfig(
    {
      chains: [{ id: chainId, ...chain, nodes: named.map(configOf) }],
      limits,
      methods,
      rate,
    },
    {},
  )
  const requests: SentRequest[] = []
  const events: EngineEvent[] = []
  const nodes = Object.fromEntries(named.map((script) => [script.name, createNode(script, chainId)]))
  const gateway = createGateway(config, {
    clock,
    random,
    send: sendTo(nodes, requests, clock),
    ...(nodePeers !== undefined && { nodePeers }),
    randomBytes: (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
    emit(event) {
      events.push(event)
      return observe?.(event)
    },
  })
  const world = {
    ...{ clock, gateway, chainId, nodes, requests, events },
    start: { ms: clock.now(), requests: 0 },
    breachesExpected: false,
  }
  worlds.push(world)
  return world
}

/** What of a script is no setting of its node. */
const ofTheWorld = 'chainId reply on bloom ignoresAbort head fork safe finalized'.split(' ')

function configOf({ name, index, ...script }: Script & { readonly name: string; readonly index: number }) {
  // By default each request is its own POST, and no batch sizes are learned.
  const given = Object.entries({ priority: index, batchCallsMax: 1, ...script })
  const set = given.filter(([key, value]) => value !== undefined && !ofTheWorld.includes(key))
  return { name, url: `http://${name}.test/`, ...Object.fromEntries(set) }
}

const silentMethod = fails(-32601, 'the method does not exist')

export function createNode(script: Script, chainId: number) {
  return {
    chainId: script.chainId ?? chainId,
    reply: script.reply ?? silentMethod,
    on: { ...script.on },
    bloom: script.bloom ?? (() => emptyBloom),
    ignoresAbort: script.ignoresAbort ?? false,
    head: script.head ?? 1000,
    fork: script.fork ?? null,
    safe: script.safe ?? null,
    finalized: script.finalized ?? null,
  }
}

/** The transport: passes each call to its node, and returns the reply after its delay. */
function sendTo(
  nodes: Readonly<Record<string, ScriptedNode>>,
  requests: SentRequest[],
  clock: VirtualClock,
): Send {
  return ({ url, body, bytesMax, headers, signal, onWait }) => {
    if (signal.aborted) return Promise.reject(new SendFault('cancelled'))
    const name = new URL(url).hostname.replace('.test', '')
    const parsed: unknown = JSON.parse(body)
    const calls = (Array.isArray(parsed) ? parsed : [parsed]) as ReceivedCall[]
    const asksOfPost = calls.map((call): SentRequest => {
      const ask = { ...call, node: name, atMs: clock.now(), body, bytesMax, headers, end: null }
      requests.push(ask)
      return ask
    })
    const replies = repliesOf(nodes[name] as ScriptedNode, calls)
    if (replies.some(({ waits }) => waits === true)) onWait?.()
    return new Promise((resolve, reject) => {
      const end = (how: SentRequest['end']) => {
        for (const ask of asksOfPost) ask.end = how
      }
      const abort = () => {
        end('aborted')
        cancel?.()
        reject(new SendFault('cancelled'))
      }
      if (nodes[name]?.ignoresAbort !== true) signal.addEventListener('abort', abort, { once: true })
      const isSilent = replies.some((reply) => reply.says === null)
      const deliver = () => {
        signal.removeEventListener('abort', abort)
        end('answered')
        const said = wholeOf(replies, Array.isArray(parsed))
        if ('fault' in said) reject(said.fault)
        else resolve(said)
      }
      const cancel = isSilent ? null : inTime(clock, delayOf(replies), deliver)
    })
  }
}

/** Replies without delay come in a microtask, so simultaneous replies keep the order of their asks. */
function inTime(clock: VirtualClock, ms: number, run: () => void): () => void {
  if (ms > 0) return clock.after(ms, run)
  let isWanted = true
  queueMicrotask(() => {
    if (isWanted) run()
  })
  return () => {
    isWanted = false
  }
}

/** What a node replies to the calls of a POST. */
export const repliesOf = (node: ScriptedNode, calls: readonly ReceivedCall[]) =>
  calls.map((call) => replyOf(node, call)({ ...call, batch: calls }))

export const delayOf = (replies: readonly TimedReply[]) => Math.max(...replies.map(({ afterMs }) => afterMs))

export function wholeOf(replies: readonly TimedReply[], isBatch: boolean) {
  const whole = replies
    .map(({ says: content }) => content)
    .find((content) => content !== null && !('object' in content))
  if (whole != null && !('object' in whole)) return whole
  const objects = replies.map(({ says: content }) =>
    content !== null && 'object' in content ? content.object : '',
  )
  return { status: 200, retryAfter: null, body: isBatch ? `[${objects.join(',')}]` : (objects[0] as string) }
}

function replyOf(node: ScriptedNode, { method, params }: ReceivedCall): Reply {
  const own = node.on[method]
  if (own !== undefined) return own
  if (method === 'eth_chainId') return says(hex(node.chainId))
  if (method !== 'eth_getBlockByNumber') return node.reply
  const number = numberOf(node, params[0] as string)
  if (number === null) return fails(-39001, `${params[0]} block not found`)
  return says(number > node.head ? null : blockAt(number, node.fork, node.bloom(number)))
}

function numberOf(node: ScriptedNode, block: string): number | null {
  if (block === 'latest') return node.head
  if (block === 'safe' || block === 'finalized') return node[block]
  return Number(block)
}

/** Asks since the last call, in order: `a@0 b@0 c@750`. Without head polls and chain id checks. */
export function sends(world: World, method?: string): string {
  return requestsOf(world, method)
    .map(({ node, atMs }) => `${node}@${atMs - world.start.ms}`)
    .join(' ')
}

/** Asks since the last call. */
export function requestsOf({ requests, start }: World, method?: string): readonly SentRequest[] {
  return requests
    .slice(start.requests)
    .filter((ask) => (method === undefined ? !isLook(ask) : ask.method === method))
}

export const three = <Kind>(script: Kind): readonly Kind[] => [script, script, script]

/** Changes these nodes, all by default. */
export function move(world: World, change: Partial<ScriptedNode>, names = Object.keys(world.nodes)): void {
  for (const name of names) Object.assign(world.nodes[name] as ScriptedNode, change)
}

/** The chain as the snapshot shows it. */
export const chainOf = ({ gateway }: World) => gateway.snapshot().chains[0]
export const nodeOf = (world: World, name: string) => chainOf(world)?.nodes.find((node) => node.name === name)
export const stateOf = (world: World, name: string) => nodeOf(world, name)?.state
export const statesOf = (world: World) => chainOf(world)?.nodes.map(({ state }) => state)

/** A configuration for a reload: chain 1 with the nodes of these letters, unless told otherwise. */
export function configWith(names: string, chain: object = {}, options: object = {}): Config {
  const nodes = [...names].map((name) => ({ name, url: `http://${name}.test/` }))
  return parseConfig({ chains: [{ id: 1, nodes, ...chain }], rate: null, ...options }, {})
}

export function isLook({ method, params }: ReceivedCall): boolean {
  return method === 'eth_chainId' || (method === 'eth_getBlockByNumber' && params[1] === false)
}
