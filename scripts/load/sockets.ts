import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { LoadResult, Sample } from './open-loop.ts'

export interface SocketsOptions {
  /** `http://127.0.0.1:3000/api/rpc/137`; the sockets are at the same address. */
  readonly url: string
  readonly sockets: number
  readonly seconds: number
  /** How long the last block's messages are waited for. */
  readonly lastMsMax?: number
  readonly onProgress?: (text: string) => void
}

/** Of each socket, and each is told every head: ten long messages a block. */
const subscriptionsEach = 10
const openingAtOnce = 50
const pollEveryMs = 5

/**
 * Sockets that hear of each block, each as another caller behind a proxy. A message is due when its block is agreed: no later than
 * the gateway was last asked for its head and still had the one before, so that no figure is better than the truth.
 */
export async function listen({
  url,
  sockets,
  seconds,
  lastMsMax = 10_000,
  onProgress,
}: SocketsOptions): Promise<LoadResult> {
  const samples: Sample[] = []
  const errors: Record<string, number> = {}
  const agreedMs = new Map<number, number>()
  let [first, head] = [Number.POSITIVE_INFINITY, await headOf(url)]
  const isDue = (number: number) => number >= first && number <= head
  const all: WebSocket[] = []
  const early: { readonly number: number; readonly atMs: number }[] = []

  const startMs = performance.now()
  const deliver = (number: number, atMs: number) => {
    const dueMs = agreedMs.get(number) ?? atMs
    samples.push({ dueMs: dueMs - startMs, ms: atMs - dueMs, unsentMs: 0, error: null })
  }
  const onMessage = (data: Buffer) => {
    const atMs = performance.now()
    const number = numberIn(data)
    if (number === null || number < first) return
    // A socket may hear of a block before the poll that finds it has come back.
    if (number > head) early.push({ number, atMs })
    else if (isDue(number)) deliver(number, atMs)
  }
  for (let count = 0; count < sockets; count += openingAtOnce) {
    const opened = Array.from({ length: Math.min(openingAtOnce, sockets - count) }, (_, at) =>
      open(url, count + at, onMessage),
    )
    all.push(...(await Promise.all(opened)))
  }
  for (const socket of all)
    socket.once('close', (code) => {
      errors[`closed ${code}`] = (errors[`closed ${code}`] ?? 0) + 1
    })

  head = await headOf(url)
  first = head + 1
  const endMs = performance.now() + 1000 * seconds
  while (performance.now() < endMs) {
    const pollMs = performance.now()
    const found = await headOf(url)
    for (let number = head + 1; number <= found; number += 1) agreedMs.set(number, pollMs)
    if (found > head) onProgress?.(`block ${found}: ${samples.length} messages`)
    head = Math.max(head, found)
    for (const { number, atMs } of early.splice(0)) if (isDue(number)) deliver(number, atMs)
    await pause(pollEveryMs)
  }
  const sent = Math.max(0, head - first + 1) * sockets * subscriptionsEach
  const giveUpMs = performance.now() + lastMsMax
  while (samples.length < sent && performance.now() < giveUpMs) await pause(pollEveryMs)
  for (const socket of all) socket.removeAllListeners('close').terminate()
  if (samples.length < sent) errors.missing = sent - samples.length
  const latenciesMs = samples.map(({ ms }) => ms).sort((one, other) => one - other)
  return { sent, seconds, samples, latenciesMs, errors, caches: {} }
}

/** A socket whose subscriptions have all begun. */
async function open(url: string, index: number, onMessage: (data: Buffer) => void): Promise<WebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws'), {
    headers: { 'x-forwarded-for': `198.18.${index >> 8}.${index & 255}` },
    perMessageDeflate: false,
    skipUTF8Validation: true,
  })
  await once(socket, 'open')
  let waiting = subscriptionsEach
  const begun = new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      onMessage(data)
      if (waiting === 0 || data.includes('"eth_subscription"')) return
      if (data.includes('"error"')) reject(new Error(data.toString()))
      waiting -= 1
      if (waiting === 0) resolve()
    })
    socket.once('close', (code, reason) => reject(new Error(`closed ${code} ${reason}`)))
  })
  for (let id = 1; id <= subscriptionsEach; id += 1)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: ['newHeads'] }))
  await begun
  socket.removeAllListeners('close')
  return socket
}

const field = '"number":"0x'

/** The number of the block that a message is about; null where it is an answer. */
function numberIn(message: Buffer): number | null {
  const start = message.indexOf(field)
  if (start < 0) return null
  const from = start + field.length
  return Number.parseInt(message.toString('latin1', from, message.indexOf('"', from)), 16)
}

async function headOf(url: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
  })
  const text = await response.text()
  const { result } = JSON.parse(text) as { readonly result?: string }
  if (result === undefined) throw new Error(`the gateway has no head: ${text}`)
  return Number(result)
}
