import { encodeFunctionData, encodeFunctionResult, multicall3Abi } from 'viem'
import { expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { sends, worldOf } from '../../support/world.ts'
import { agreement, noQuorum } from '../support/outcomes.ts'

const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'
const other = `0x${'0c'.repeat(20)}` as const
const data = encodeFunctionData({
  abi: multicall3Abi,
  functionName: 'aggregate3',
  args: [[1, 2].map(() => ({ target: other, allowFailure: true, callData: '0x01' as const }))],
})
const results = (...parts: readonly `0x${string}`[]) =>
  encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: parts.map((returnData) => ({ success: true, returnData })),
  })
const [ab, ac, ad] = [results('0xaa', '0xbb'), results('0xaa', '0xcc'), results('0xaa', '0xdd')]
/** No two whole answers are equal, but each part has two votes. */
const divided = [ab, ac, results('0xdd', '0xbb')]
const all = [ab, ab, ac, ad, results('0xee', '0xbb')]

test.each<[string, readonly unknown[], number, string, object]>([
  ['is agreed call by call', divided, 2, multicall3, { result: ab, ...agreement('2/2/3') }],
  ['is agreed as weakly as its weakest call', all, 3, multicall3, { result: ab, ...agreement('3/3/5') }],
  ['fails when one of its calls has no agreement', [ab, ac], 2, multicall3, noQuorum()],
  ['of another contract is not split into calls', divided, 2, other, noQuorum('disagree')],
])('a multicall without agreement on the whole %s', async (_, replies, quorum, to, expected) => {
  const world = worldOf(replies.map(says), { quorum })
  expect(await rpc(world, 'eth_call', [{ to, data }, 'latest'])).toMatchObject({ ms: 0, ...expected })
  expect(sends(world)).toBe(replies.map((_reply, index) => `${'abcde'[index]}@0`).join(' '))
})
