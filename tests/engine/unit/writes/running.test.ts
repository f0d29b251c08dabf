import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { pendingRequest } from '../../../../rpc-proxy/chain/upstream-request.ts'
import type { UpstreamRequestRecord } from '../../../../rpc-proxy/events/evidence-types.ts'
import { electorateOf, operatorsOfNodes } from '../../../../rpc-proxy/quorum/electorate.ts'
import { RoundRequest } from '../../../../rpc-proxy/round/round.ts'
import { indexesOf, type MemberIndex, type NodeIndex } from '../../../../rpc-proxy/runtime/indexes.ts'
import type { Reply } from '../../../../rpc-proxy/wire/types.ts'
import type { TransactionRequest } from '../../../../rpc-proxy/writes/transaction-round.ts'
import { createWrites, type WriteChain } from '../../../../rpc-proxy/writes/writes.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const transactions = await Promise.all(
  [0, 1, 2].map((nonce) =>
    account.signTransaction({ chainId: 1, nonce, gas: 21_000n, gasPrice: 9n, to: account.address }),
  ),
)

/** A node that never replies. */
class HangingRequest extends RoundRequest<Reply> implements TransactionRequest {
  declare readonly record: UpstreamRequestRecord
  send = () => new Promise<Reply>(() => {})
  stall = () => {}
  end = () => {}
  giveUp = () => {}
}

test('a broadcast above the limit is refused; closing ends the others and leaves no timer', async () => {
  const clock = virtualClock(0)
  const electorate = electorateOf([{ weight: 1, operator: 'a' }], 1, 1)
  const chain: WriteChain = {
    chainId: 1,
    writers: [{ operator: electorate.operatorOf[0] ?? never(), open: false }],
    writerOperators: operatorsOfNodes(electorate, indexesOf<NodeIndex>(['a'])),
    electorate,
    deadlineMs: 8000,
    spareMs: 750,
    epoch: 0,
    request: (member: MemberIndex) =>
      new HangingRequest(member, 750, pendingRequest({ name: 'a', operator: 'a', weight: 1 }, 0)),
    known: async () => false,
  }
  let ids = 0
  const writes = createWrites({ clock, nextId: () => `${ids++}`, onVerdict: () => {}, runningMax: 2 })
  const [one, two, three] = transactions.map((raw) => writes.send(raw, chain))
  await expect(three).rejects.toMatchObject({ kind: 'overloaded' })
  writes.close()
  for (const sent of [one, two])
    expect(await sent).toMatchObject({ outcome: { kind: 'failed', reason: 'silent' } })
  await writes.settled()
  expect(clock.pending()).toBe(0)
})

function never(): never {
  throw new Error('there is one operator')
}
