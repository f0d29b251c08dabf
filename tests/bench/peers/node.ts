import { tellAnswers } from './listen.ts'

/** A node that is always well: a block a second, the same balance for everybody, as fast as a server in JavaScript can be. */
const bloom = `0x${'0'.repeat(512)}`
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, 'a')}`
const quantity = (value: number) => `0x${value.toString(16)}`

function resultOf(method: string, params: readonly unknown[]): unknown {
  if (method === 'eth_chainId') return '0x89'
  if (method === 'eth_getBlockByNumber') return blockAt(params[0])
  return '0x10'
}

function blockAt(block: unknown): unknown {
  const number = String(block).startsWith('0x') ? Number(block) : 1000 + Math.floor(performance.now() / 2000)
  return { number: quantity(number), hash: hashOf(number), parentHash: hashOf(number - 1), logsBloom: bloom }
}

function answer(call: { id: number; method: string; params: readonly unknown[] }): string {
  return `{"jsonrpc":"2.0","id":${call.id},"result":${JSON.stringify(resultOf(call.method, call.params))}}`
}

tellAnswers((text) => {
  const call: Parameters<typeof answer>[0] | Parameters<typeof answer>[0][] = JSON.parse(text)
  return Array.isArray(call) ? `[${call.map(answer).join(',')}]` : answer(call)
})
