import { expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { says } from '../support/replies.ts'
import { hex, receiptAt } from '../support/scripted-chain.ts'
import { asked, worldOf } from '../support/world.ts'

const account = `0x${'ac'.repeat(20)}`

test('makes that know an absent account by no hash and by the hash of nothing agree on its proof', async () => {
  const proof = (codeHash: string, storageHash: string) => ({
    address: account,
    balance: '0x0',
    codeHash,
    nonce: '0x0',
    storageHash,
    accountProof: ['0x01'],
    storageProof: [],
  })
  const nothing = proof(
    '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  )
  const zeros = proof(`0x${'00'.repeat(32)}`, `0x${'00'.repeat(32)}`)
  const world = worldOf([says(zeros), says(nothing)], { quorum: 2 })
  expect((await ask(world, 'eth_getProof')).result).toEqual(nothing)
})

test('makes that number a revert in two ways agree on what was simulated', async () => {
  const failed = (code: number) => ({
    status: '0x0',
    returnData: '0x',
    gasUsed: '0x1',
    logs: [],
    error: { code, message: 'execution reverted' },
  })
  const made = (code: number) => [
    {
      number: hex(1001),
      timestamp: '0x1',
      gasLimit: '0x1',
      gasUsed: '0x1',
      baseFeePerGas: '0x0',
      calls: [failed(code)],
    },
  ]
  const world = worldOf([says(made(-32000)), says(made(3))], { quorum: 2 })
  const payload = { blockStateCalls: [{ calls: [{ to: account }] }] }
  expect((await ask(world, 'eth_simulateV1', [payload, 'latest'])).result).toMatchObject([
    { calls: [{ status: '0x0', error: { code: 3, message: 'execution reverted' } }] },
  ])
})

test('makes that write a receipt’s type with a zero or without agree on its blobs', async () => {
  const blobs = { type: '0x3', blobGasUsed: '0x20000', blobGasPrice: '0x1' }
  const padded = receiptAt(1000, { ...blobs, type: '0x03' })
  const world = worldOf([says(padded), says(receiptAt(1000, blobs))], { quorum: 2 })
  expect((await ask(world, 'eth_getTransactionReceipt')).result).toEqual(receiptAt(1000, blobs))
})

test('what one node puts where a history has nothing to say of blobs is a fault, and goes to nobody', async () => {
  const history = (baseFeePerBlobGas: unknown) => ({
    oldestBlock: hex(1000),
    baseFeePerGas: ['0x7', '0x7'],
    gasUsedRatio: [0.5],
    reward: [['0x1']],
    baseFeePerBlobGas,
  })
  const [junk, plain] = [history([[['0x0']], '']), history(null)]
  const world = worldOf([says(junk), says(plain), says(plain)], { quorum: 2 })
  expect((await ask(world, 'eth_feeHistory', ['0x1', 'latest', [50]])).result).toEqual(plain)
  expect(asked(world)).toBe('a@0 b@0 c@0')
})
