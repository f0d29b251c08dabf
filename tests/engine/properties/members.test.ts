import { describe, expect, test } from 'vitest'
import { chain, type Json } from '../../support/canonical-chain.ts'
import { rpc } from '../../support/gateway-calls.ts'
import { type ReceivedCall, type Reply, says } from '../../support/replies.ts'
import { type World, type WorldOptions, worldOf } from '../../support/world.ts'

/** No number, text or key can be made of it: what tries to throws. */
const unconvertible = { toString: 1, valueOf: 1 }

const { fullBlock, blockReceipts } = chain
const { hash, transactions } = fullBlock as Json & {
  readonly hash: string
  readonly transactions: readonly (Json & { readonly hash: string })[]
}
const header = { ...fullBlock, transactions: transactions.map((each) => each.hash) }
const block = ({ params: [, isFull] }: ReceivedCall) => (isFull === true ? fullBlock : header)
const honest: Record<string, Reply> = {
  eth_getBlockByNumber: (received) => says(block(received))(received),
  eth_getBlockByHash: (received) => says(block(received))(received),
  eth_getBlockReceipts: says(blockReceipts),
  eth_getTransactionByHash: says(transactions[0]),
}
const first = transactions[0]?.hash

/** The value with this member replaced; its objects get members of others too. */
function* corrupted(value: unknown): Generator<unknown> {
  yield unconvertible
  if (Array.isArray(value)) {
    for (const [index, member] of value.slice(0, 1).entries())
      for (const each of corrupted(member)) yield value.with(index, each)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries({ ...value, blockHash: null, error: null }))
    for (const each of corrupted(member)) yield { blockNumber: '0x2', ...value, [name]: each }
}

const named = ({ hash, transactionHash }: Json) =>
  transactionHash === undefined ? { hash } : { transactionHash }
const cases = [
  ['eth_getBlockByNumber', header, 'eth_getBlockByNumber', ['0x2', false], named(header)],
  ['eth_getBlockByHash', fullBlock, 'eth_getBlockByHash', [hash, true], named(fullBlock)],
  ['eth_getBlockByHash', fullBlock, 'eth_getTransactionByHash', [first], { hash: first }],
  ['eth_getBlockReceipts', blockReceipts, 'eth_getBlockReceipts', ['0x2'], blockReceipts.map(named)],
] as const

const worldWith = (method: string, sent: unknown): World => {
  const on = { ...honest, [method]: ((received) => says(sent)(received)) as Reply }
  return worldOf([{ on }, { on: honest }, { on: honest }], {
    chainId: 31_337,
    proofs: 'auto',
  } as WorldOptions)
}

describe('one node writes what nothing can be made of', () => {
  test.each(cases)(
    'in place of any member of %s: the call is answered, and the process goes on',
    async (sentTo, truth, method, params, result) => {
      for (const sent of corrupted(truth))
        expect(await rpc(worldWith(sentTo, sent), method, params)).toMatchObject({ result })
    },
  )
})
