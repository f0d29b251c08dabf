import { encodeFunctionData, encodeFunctionResult, multicall3Abi } from 'viem'
import { expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { sends, worldOf } from '../../support/world.ts'
import { noQuorum } from '../support/outcomes.ts'

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
/** No two whole answers are equal, but each part has two votes. */
const divided = () =>
  worldOf([says(results('0xaa', '0xbb')), says(results('0xaa', '0xcc')), says(results('0xdd', '0xbb'))], {
    quorum: 2,
  })

test('a multicall without agreement on the whole is agreed call by call', async () => {
  const world = divided()
  const { result, headers } = await rpc(world, 'eth_call', [{ to: multicall3, data }, 'latest'])
  expect(result).toBe(results('0xaa', '0xbb'))
  expect(headers['x-quorate-agreement']).toBe('2/2/3')
  expect(sends(world)).toBe('a@0 b@0 c@0')
})

test('a multicall is agreed as weakly as its weakest call', async () => {
  const replies = [results('0xaa', '0xbb'), results('0xaa', '0xbb'), results('0xaa', '0xcc')]
  const world = worldOf([...replies, results('0xaa', '0xdd'), results('0xee', '0xbb')].map(says), {
    quorum: 3,
  })
  const { headers } = await rpc(world, 'eth_call', [{ to: multicall3, data }, 'latest'])
  expect(headers['x-quorate-agreement']).toBe('3/3/5')
})

test('a multicall fails when one of its calls has no agreement', async () => {
  const world = worldOf([says(results('0xaa', '0xbb')), says(results('0xaa', '0xcc'))], { quorum: 2 })
  expect(await rpc(world, 'eth_call', [{ to: multicall3, data }, 'latest'])).toMatchObject(noQuorum())
})

test('the same selector of another contract is not split into calls', async () => {
  const answer = await rpc(divided(), 'eth_call', [{ to: other, data }, 'latest'])
  expect(answer).toMatchObject(noQuorum('disagree'))
})
