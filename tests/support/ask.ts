import type { GatewayRequest, GatewayResponse } from '#rpc-proxy'
import { hashOf, transactionHash } from './scripted-chain.ts'
import type { World } from './world.ts'

/** A response object, and what came with it. */
export interface Answered {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly quorate?: Readonly<Record<string, unknown>>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The HTTP body as it was sent. */
  readonly text: string
  /** How long it took. */
  readonly ms: number
}

export interface PostOptions {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly caller?: string
  /** How the body comes, where it does not come at once. */
  readonly read?: GatewayRequest['body']
}

/** A call on its way. */
export interface Pending<Value> {
  readonly done: Promise<Value>
  readonly isDone: () => boolean
  /** The caller leaves. */
  readonly leave: () => void
}

const account = `0x${'ac'.repeat(20)}`
const target = { to: account, data: '0x01' }

/** Params with which a method can be asked at the head, where the test does not care. */
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

/** Asks one call and waits, in the world's time, until it is answered. */
export async function ask(
  world: World,
  method: string,
  params = samples[method] ?? [],
  options: PostOptions = {},
): Promise<Answered> {
  return until(world, begin(world, method, params, options))
}

/** Asks one call and goes on. */
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

/** Posts a body, text or what becomes text, and waits for the HTTP answer. */
export async function post(world: World, body: unknown, options: PostOptions = {}): Promise<GatewayResponse> {
  return until(world, beginPost(world, body, options))
}

/** Posts a body and goes on. */
export function beginPost(world: World, body: unknown, options: PostOptions = {}): Pending<GatewayResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return send(world, text, options, (response) => response)
}

/** Lets time pass until the call is answered. */
export async function until<Value>({ clock }: World, { done, isDone }: Pending<Value>): Promise<Value> {
  await clock.until(isDone)
  if (!isDone()) throw new Error('nothing is left that could answer this call')
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
  options: PostOptions,
  read: (response: GatewayResponse) => Value,
): Pending<Value> {
  const departure = new AbortController()
  world.start = { ms: world.clock.now(), asks: world.asks.length }
  let isDone = false
  const done = world.gateway
    .handle(requestOf(world, text, options, departure.signal))
    .then(read)
    .finally(() => {
      isDone = true
    })
  return { done, isDone: () => isDone, leave: () => departure.abort() }
}

function requestOf(
  world: World,
  text: string,
  { path = `/api/rpc/${world.chainId}`, method = 'POST', headers = {}, caller, read }: PostOptions,
  signal: AbortSignal,
): GatewayRequest {
  const all: Readonly<Record<string, string>> = { 'content-type': 'application/json', ...headers }
  return {
    method,
    path,
    header: (name) => all[name] ?? null,
    body:
      read ??
      (async (bytesMax) =>
        new TextEncoder().encode(text).length > bytesMax ? { fault: 'too-large' } : { text }),
    caller: caller ?? null,
    origin: null,
    signal,
  }
}
