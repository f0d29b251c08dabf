import { describe, expect, test } from 'vitest'
import { hostsForOneFile, hostsOfEngine } from '../support/hosts.ts'
import { hex, logAt, receiptAt } from '../support/scripted-chain.ts'
import { says } from './support/script.ts'
import { stageOn } from './support/stage.ts'

const start = hostsForOneFile()
const account = `0x${'ac'.repeat(20)}`
/** Below the finalized block, which is 64 below the head. */
const final = 900
const ofFinal = [{ fromBlock: hex(final), toBlock: hex(final) }]
const truth = {
  eth_getLogs: says([logAt(final, 0)]),
  eth_getTransactionReceipt: says(receiptAt(final)),
  eth_getBalance: says('0x1'),
}
const lie = {
  eth_getLogs: says([logAt(final, 0, { data: '0xbad0' })]),
  eth_getTransactionReceipt: says(receiptAt(final, { status: '0x0' })),
  eth_getBalance: says('0x1'),
}

describe.each(hostsOfEngine)('%s', (kind) => {
  const { chain } = stageOn(kind, start)

  const five = chain(
    [
      { weight: 3, on: lie },
      { weight: 3, on: lie },
      { weight: 2, on: truth },
      { weight: 2, on: truth },
      { on: truth },
    ],
    { quorum: 4 },
  )
  test('what two poisoned nodes made of a final block is gone for everybody once they are cordoned', async () => {
    await five.ask('eth_getBalance', [account, 'finalized'])
    const read = (method: string) =>
      five.ask(method, method === 'eth_getLogs' ? ofFinal : [receiptAt(final).transactionHash])
    for (const [method, result] of [
      ['eth_getLogs', [{ data: '0xbad0' }]],
      ['eth_getTransactionReceipt', { status: '0x0' }],
    ] as const) {
      expect(await read(method)).toMatchObject({ result })
      expect(await read(method)).toMatchObject({ result, headers: { 'x-quorate-cache': 'hit' } })
    }
    for (const name of ['a', 'b']) expect(await five.cordon(name)).toBe(200)
    for (const [method, result] of [
      ['eth_getLogs', [{ data: '0x01' }]],
      ['eth_getTransactionReceipt', { status: '0x1' }],
    ] as const) {
      expect(await read(method)).toMatchObject({ result, headers: { 'x-quorate-cache': 'miss' } })
      expect(five.requests().map(({ node }) => node)).toEqual(expect.not.arrayContaining(['a', 'b']))
    }
  })
})
