import type { GatewayRequest, GatewayResponse } from '#rpc-proxy'
import type { Answered as CallOutcome } from './same-answer.ts'
import { hashOf, transactionHash } from './scripted-chain.ts'
import type { World } from './world.ts'

/** A response object with its HTTP status, headers and duration. */
export interface Answered extends CallOutcome {
  readonly quorate?: Readonly<Record<string, unknown>>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The raw HTTP body. */
  readonly text: string
  /** Duration in virtual time. */
  readonly ms: number
}

/** Options of a protected call. */
export const protect = { headers: { 'x-quorate-protect': '1' } } as const

export interface PostOptions {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly caller?: string | null
  /** Reads the request body. By default it is available at once. */
  readonly read?: GatewayRequest['body']
}

/** A call in flight. */
export interface Pending<Value> {
  readonly done: Promise<Value>
  readonly isDone: () => boolean
  /** Disconnects the caller. */
  readonly leave: () => void
}

/** The account of calls that name no other. */
export const account = `0x${'ac'.repeat(20)}`
const target = { to: account, data: '0x01' }

/** Default params of each method, at the head. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  eth_getBalance: [account, 'latest'],
  eth_getCode: [account, 'latest'],
  eth_getStorageAt: [account, '0x0', 'latest'],
  eth_getTransactionCount: [account, 'latest'],
  eth_call: [target, 'latest'],
  eth_estimateGas: [target],
  eth_getLogs: [{ fromBlock: 'latest', toBlock: 'latest' }],
  eth_getTransactionReceipt: [transactionHash],
  eth_getBlockByHash: [hashOf(1000), false],
  eth_getProof: [account, [], 'latest'],
}

/** Sends one call and advances the clock until it is answered. */
export const rpc = (...call: Parameters<typeof begin>): Promise<Answered> => until(call[0], begin(...call))

/** Sends one call without waiting. */
export function begin(
  world: World,
  method: string,
  params = samples[method] ?? [],
  options: PostOptions = {},
): Pending<Answered> {
  const startMs = world.clock.now()
  return send(world, callText(method, params), options, ({ status, headers, body }) => ({
    ...(body === '' ? {} : (JSON.parse(body) as object)),
    status,
    headers,
    text: body,
    ms: world.clock.now() - startMs,
  }))
}

/** Posts a body, as text or as a value to serialize, and waits for the response. */
export const post = (...sent: Parameters<typeof beginPost>): Promise<GatewayResponse> =>
  until(sent[0], beginPost(...sent))

/** Posts a body without waiting. */
export function beginPost(world: World, body: unknown, options: PostOptions = {}): Pending<GatewayResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return send(world, text, options, (response) => response)
}

/** Advances the clock until the call is answered. */
export async function until<Value>({ clock }: World, { done, isDone }: Pending<Value>): Promise<Value> {
  await clock.until(isDone)
  if (!isDone()) throw new Error('no timer is left that could answer this call')
  return done
}

export function callText(method: string, params: readonly unknown[], id: unknown = 1): string {
  return JSON.stringify(callOf(method, params, id))
}

export const callOf = (method: string, params = samples[method] ?? [], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

function send<Value>(
  world: World,
  text: string,
  { path = `/api/rpc/${world.chainId}`, method = 'POST', headers = {}, caller = null, read }: PostOptions,
  resultOf: (response: GatewayResponse) => Value,
): Pending<Value> {
  const all: Readonly<Record<string, string>> = { 'content-type': 'application/json', ...headers }
  const departure = new AbortController()
  world.start = { ms: world.clock.now(), requests: world.requests.length }
  const request: GatewayRequest = {
    method,
    path,
    header: (name) => all[name] ?? null,
    body:
      read ?? (async (bytesMax) => (Buffer.byteLength(text) > bytesMax ? { fault: 'too-large' } : { text })),
    caller,
    origin: null,
    signal: departure.signal,
  }
  let isDone = false
  const done = world.gateway
    .handle(request)
    .then(resultOf)
    .finally(() => {
      isDone = true
    })
  return { done, isDone: () => isDone, leave: () => departure.abort() }
}
