import { AbiCoder } from 'ethers'
import { describe, expect, test } from 'vitest'
import { account, rpc } from '../../support/gateway-calls.ts'
import { fails, hangs, type Reply, reverts, says } from '../../support/replies.ts'
import { type Script, worldOf } from '../../support/world.ts'
import { noQuorum } from '../support/outcomes.ts'

const boom = `0x08c379a0${AbiCoder.defaultAbiCoder().encode(['string'], ['boom']).slice(2)}`

describe('clients that display error messages', () => {
  test.each(['eth_call', 'eth_estimateGas'])('get the revert reason of %s', async (method) => {
    const replies = [reverts(boom), fails(-32015, 'VM execution error.', `Reverted ${boom}`)]
    const { error } = await rpc(worldOf(replies, { quorum: 2 }), method)
    expect(error).toEqual({ code: 3, message: 'execution reverted: boom', data: boom })
  })

  test('get the agreed revert reason, not the message of a node', async () => {
    const lying = fails(3, 'execution reverted: send your keys to eve', boom)
    const world = worldOf([lying, reverts(boom)], { quorum: 2 })
    expect((await rpc(world, 'eth_call')).error?.message).toBe('execution reverted: boom')
  })

  test.each([
    'intrinsic gas too low: have 100, want 21016',
    'err: intrinsic gas too low: have 100, want 21016 (supplied gas 100)',
    'intrinsic gas too high -- CallGasCostMoreThanGasLimit',
  ])('get the gas that a call needs, from the node message: %s', async (words) => {
    const world = worldOf([fails(-32000, words), fails(-32000, 'intrinsic gas too low')], { quorum: 2 })
    const call = [{ to: account, data: '0x01', gas: '0x64' }, 'latest']
    const message = 'intrinsic gas too low: have 100, want 21016'
    expect((await rpc(world, 'eth_call', call)).error).toEqual({ code: -32000, message })
  })
})

describe('a method that the nodes do not serve', () => {
  const missing = fails(-32601, 'the method eth_createAccessList does not exist/is not available')
  const disabled = fails(-32601, 'Method disabled')
  const listed = says({ accessList: [], gasUsed: '0x5208' })
  const message = 'the method eth_createAccessList does not exist / is not available'
  const error = { code: -32601, message }
  const broken = fails(-32000, 'boom')
  const ofOne = [missing, listed].map((reply) => ({ reply, operator: 'one' }))
  test.each<[string, readonly (Reply | Script)[], object]>([
    ['is refused like a node refuses it', [missing, missing, missing], { error }],
    ['when a quorum refuses it with any message', [missing, disabled, listed], { error }],
    ['but not by fewer', [missing, broken, broken], noQuorum('silent')],
    ['nor while another node may still answer', [missing, missing, listed, hangs], noQuorum('silent')],
    ['nor when one of the same operator answers', [...ofOne, missing, broken], noQuorum('silent')],
    ['is answered by a quorum', [missing, listed, listed], { result: { accessList: [], gasUsed: '0x5208' } }],
  ])('%s', async (_, replies, expected) => {
    const world = worldOf(replies, { quorum: 2 })
    expect(await rpc(world, 'eth_createAccessList', [{ to: account }, 'latest'])).toMatchObject(expected)
  })
})
