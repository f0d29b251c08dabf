import { numberToHex } from 'viem'
import { isRecord } from '#lib/parse-json.ts'
import { type NodeConfig, type Send, SendFault } from '#rpc-proxy'

/** Asks one node; null where it did not answer with a result. */
export type ProbeCall = (method: string, params: readonly unknown[]) => Promise<unknown>

/** What one node can do, as far as it was seen. */
export interface Findings {
  readonly node: string
  readonly chainId: number | null
  readonly genesis: string | null
  readonly head: number | null
  /** Why it could not be reached when it was asked first; null where it was. */
  readonly fault: SendFault['kind'] | null
  readonly latencyMs: number | null
  /** Widest range of blocks that eth_getLogs took. */
  readonly logsRange: number
  /** Longest batch that was answered whole. */
  readonly batch: number
  /** How far back a balance can be asked for, in blocks. */
  readonly depth: number
  /** Answers to the questions that all nodes are asked at one block. */
  readonly answers: readonly string[]
}

/** Stands in `answers` for a missing answer. */
export const noAnswer = 'null'

const timeoutMs = 10_000
const reads = 5
const ranges = [1, 10, 100, 500, 1000, 2000, 5000, 10_000]
const batches = [1, 5, 10, 20, 50, 100]
const depths = [16, 128, 1024, 10_000, 100_000, 1_000_000]
const someone = `0x${'00'.repeat(19)}01`

/** Asks a node one question at a time, gently: some of these nodes count. `at` is the block that all are compared at. */
export async function probe(node: NodeConfig, send: Send, at: number | null): Promise<Findings> {
  let fault: Findings['fault'] = null
  const post = poster(node, send, (kind) => {
    fault ??= kind
  })
  const call = callBy(post)
  const chainId = quantity(await call('eth_chainId', []))
  const times: number[] = []
  let head: number | null = null
  for (let read = 0; read < reads; read += 1) {
    const startMs = performance.now()
    const seen = quantity(await call('eth_blockNumber', []))
    if (seen === null) continue
    head = Math.max(head ?? 0, seen)
    times.push(performance.now() - startMs)
  }
  const silent = {
    node: node.name,
    chainId,
    genesis: null,
    head,
    fault: head === null ? fault : null,
    latencyMs: null,
    logsRange: 0,
    batch: 0,
    depth: 0,
    answers: [],
  }
  if (head === null) return silent
  const top = head
  const genesis = await call('eth_getBlockByNumber', ['0x0', false])
  return {
    ...silent,
    genesis: isRecord(genesis) ? String(genesis.hash) : null,
    latencyMs: times.toSorted((one, other) => one - other)[times.length >> 1] ?? null,
    logsRange: await most(ranges, async (range) => {
      const filter = {
        fromBlock: numberToHex(Math.max(0, top - range + 1)),
        toBlock: numberToHex(top),
        address: someone,
      }
      return Array.isArray(await call('eth_getLogs', [filter]))
    }),
    batch: await most(batches, async (length) => {
      const calls = Array.from({ length }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'eth_chainId',
        params: [],
      }))
      const replies = await post(calls)
      return (
        Array.isArray(replies) &&
        replies.length === length &&
        replies.every((each) => isRecord(each) && each.result !== undefined)
      )
    }),
    depth: await most(
      depths.filter((depth) => depth <= top),
      async (depth) => quantity(await call('eth_getBalance', [someone, numberToHex(top - depth)])) !== null,
    ),
    answers: at === null ? [] : await answersAt(call, at),
  }
}

/** Heads alone, to choose the block that all are compared at. */
export async function headOf(node: NodeConfig, send: Send): Promise<number | null> {
  return quantity(await probeCall(node, send)('eth_blockNumber', []))
}

export function probeCall(node: NodeConfig, send: Send): ProbeCall {
  return callBy(poster(node, send))
}

function callBy(post: ReturnType<typeof poster>): ProbeCall {
  return async (method, params) => {
    const reply = await post({ jsonrpc: '2.0', id: 1, method, params })
    return isRecord(reply) && reply.id === 1 && reply.error === undefined ? (reply.result ?? null) : null
  }
}

async function answersAt(call: ProbeCall, at: number): Promise<readonly string[]> {
  const block = await call('eth_getBlockByNumber', [numberToHex(at), false])
  const { hash, stateRoot, receiptsRoot } = isRecord(block) ? block : {}
  const balance = await call('eth_getBalance', [someone, numberToHex(at)])
  const count = await call('eth_getTransactionCount', [someone, numberToHex(at)])
  const logs = await call('eth_getLogs', [{ fromBlock: numberToHex(at), toBlock: numberToHex(at) }])
  const places = Array.isArray(logs)
    ? logs
        .map((log) => (isRecord(log) ? `${log.transactionHash}/${log.logIndex}/${log.data}` : ''))
        .toSorted()
    : null
  return [hash, stateRoot, receiptsRoot, balance, count, places].map((answer) =>
    answer == null ? noAnswer : JSON.stringify(answer),
  )
}

/** The largest that is taken, trying from the smallest up to the first refusal. */
async function most(
  sizes: readonly number[],
  isAccepted: (size: number) => Promise<boolean>,
): Promise<number> {
  let accepted = 0
  for (const size of sizes) {
    if (!(await isAccepted(size))) break
    accepted = size
  }
  return accepted
}

function poster(
  { url, headers }: NodeConfig,
  send: Send,
  onFault: (kind: SendFault['kind']) => void = () => {},
): (body: unknown) => Promise<unknown> {
  return async (body) => {
    try {
      const response = await send({
        url,
        headers,
        body: JSON.stringify(body),
        bytesMax: 32 << 20,
        idempotent: true,
        signal: AbortSignal.timeout(timeoutMs),
      })
      return JSON.parse(
        typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body),
      )
    } catch (cause) {
      if (cause instanceof SendFault) onFault(cause.kind)
      return null
    }
  }
}

function quantity(value: unknown): number | null {
  return typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : null
}
