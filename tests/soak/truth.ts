import { createHash } from 'node:crypto'
import type { DemoCall } from '../../demo/nodes/demo-call.ts'
import type { Canned, Scripted } from '../../demo/nodes/scripted.ts'
import { blockAt, hex } from '../support/scripted-chain.ts'

export const chainId = 137
const blockEveryMs = 2000
const firstBlock = 1000
const startMs = performance.now()

const headNow = () => firstBlock + Math.floor((performance.now() - startMs) / blockEveryMs)

/** The balance of an account at a block. It is unique, so that mixed-up answers are detected. */
export function balanceAt(account: string, block: number): string {
  return `0x1${createHash('sha256').update(`${account}|${block}`).digest('hex').slice(0, 15)}`
}

const failed: Canned = { error: { code: -32601, message: 'not here' } }

function truthOf({ method, params }: DemoCall): Canned {
  if (method === 'eth_chainId') return { result: hex(chainId) }
  if (method === 'eth_getBlockByNumber') return blockOf(params[0])
  if (method !== 'eth_getBalance') return failed
  const block = Number(params[1])
  if (block > headNow()) return { error: { code: -32000, message: 'header not found' } }
  return { result: balanceAt(String(params[0]), block) }
}

function blockOf(reference: unknown): Canned {
  const head = headNow()
  const tags: Readonly<Record<string, number>> = { latest: head, safe: head - 4, finalized: head - 8 }
  const number = tags[String(reference)] ?? Number(reference)
  return { result: number > head ? null : blockAt(number) }
}

export const honest: Scripted = { kind: 'scripted', answer: truthOf }

/** All liars tell the same lie. */
export const lying: Scripted = {
  kind: 'scripted',
  answer: (call) => (call.method === 'eth_getBalance' ? { result: '0x11e' } : truthOf(call)),
}

const call = (id: number, method: string, params: readonly unknown[]) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const account = (count: number) => `0x${count.toString(16).padStart(40, 'a')}`
const balance = (id: number, count: number) => call(id, 'eth_getBalance', [account(count), 'latest'])

/** The n-th request: new reads, repeated reads, blocks, batches. */
export function requestOf(count: number): unknown {
  const draw = count % 20
  if (draw < 12) return balance(count, count)
  if (draw < 16) return balance(count, count % 50)
  if (draw < 18) return call(count, 'eth_getBlockByNumber', ['latest', false])
  if (draw < 19) return call(count, 'eth_blockNumber', [])
  return [0, 1, 2, 3, 4].map((place) => balance(place, count * 5 + place))
}

/** A hundred new reads, which fill the stored answers fastest. */
export function manyReads(turn: number): unknown {
  return Array.from({ length: 100 }, (_, place) => balance(place, 1e9 + turn * 100 + place))
}

interface Said {
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number }
}

/** Null for a true answer, otherwise 'wrong …' for a false one or 'error …' for a failure. */
export function faultIn(count: number, text: string, block: number): string | null {
  const asked = [requestOf(count)].flat() as { id: number; method: string; params: readonly unknown[] }[]
  const said = [JSON.parse(text) as Said].flat()
  if (said.length !== asked.length) return `wrong number of replies: ${text.slice(0, 200)}`
  for (const [place, { id, method, params }] of asked.entries()) {
    const reply = said[place] as Said
    if (reply.id !== id) return `wrong id: ${text.slice(0, 200)}`
    if (reply.error !== undefined) return `error ${reply.error.code}`
    if (method === 'eth_blockNumber' && !(Number(reply.result) <= headNow())) return `wrong head: ${text}`
    if (method === 'eth_getBalance' && reply.result !== balanceAt(String(params[0]), block))
      return `wrong balance at ${block}: ${text.slice(0, 200)}`
    if (method !== 'eth_getBlockByNumber') continue
    const { number, hash } = (reply.result ?? {}) as { number: string; hash: string }
    if (Number(number) !== block || hash !== blockAt(block).hash) return `wrong block: ${text.slice(0, 200)}`
  }
  return null
}
