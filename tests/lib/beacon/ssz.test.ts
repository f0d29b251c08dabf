import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import {
  beaconHeaderRoot,
  executionHeaderRoot,
  merkleRoot,
  numberRoot,
  rootOfBranch,
  shortListRoot,
} from '#lib/beacon/ssz.ts'
import { beaconHeader, executionHeader, genesisValidatorsRoot } from '../../support/beacon-chain.ts'

const bytes = (hex: string) => hexToBytes(hex.replace('0x', ''))
const hexOf = (root: Uint8Array) => `0x${bytesToHex(root)}`

// Of an Electra network of Lodestar: paritytech/polkadot-sdk, bridges/snowbridge/pallets/ethereum-client/tests/electra.
const execution = executionHeader.parse({
  parent_hash: '0xbddc8ab20335a9d9448ac21b56ada15b59974da43d25f5a299784f3b9cac31a4',
  fee_recipient: '0x0000000000000000000000000000000000000000',
  state_root: '0x466f0a0b0437f2f30d2417914ae88d0aec5b823ef99e6dec8000a65030e5ded1',
  receipts_root: '0xf87cce309dcadb263aa9dda92bf74e6218b5198b9cb315c98d9be72376c203ac',
  logs_bloom:
    '0x00000000000000000000000000000000000000000000004000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000080000000000000000000000000000004000000000080000000000000000000000000000000000010100000000000000000000000000000000000000000000000000000000000000001000000000080000000000000000000000040000000000000000002000002000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000000000000200000000000010',
  prev_randao: '0xd4e5c2b7df821e8cf57b0fdc1fda4658ec898f87dbd8554e2379423daabfd953',
  block_number: '1471',
  gas_limit: '30000000',
  gas_used: '123189',
  timestamp: '1736963157',
  extra_data: '0xd883010e0c846765746888676f312e32332e33856c696e7578',
  base_fee_per_gas: '7',
  block_hash: '0x8501525d685416e05beb2d5dca1ad7702e1e55c9f1c715a6c451e4538c900ddf',
  transactions_root: '0xc3a1efbc96ee4b3700a0674ea64bcbc3e3818144a7a297a1f7abc51826186a1d',
  withdrawals_root: '0x792930bbd5baac43bcc798ee49aa8185ef76bb3b44ba62b91d86ae569e4bb535',
  blob_gas_used: '0',
  excess_blob_gas: '0',
})
const executionBranch = [
  '0xcc390acbae705724d483d45371bf243e5ca7698e8d333be9eb4f1e37dc65919a',
  '0xb46f0c01805fe212e15907981b757e6c496b0cb06664224655613dcec82505bb',
  '0x6dd3b9955d892d92338b19976fd07084bfe88a76c3063482b7f30ee60feb2a58',
  '0x940522efb5e2581496c5e254e388423781dd70d9ce959cc5ff65382471de0b16',
]
const finalized = beaconHeader.parse({
  slot: '2048',
  proposer_index: '7',
  parent_root: '0x3ca76212e0701ac4e8a30be6c8cbe5f2e58b47f75d8148ee65d9c98650d6be68',
  state_root: '0x4e84f2beb1b34777d724cfd5b2a7b1f3c3cc74bdfc6b200c09958d980d3573cb',
  body_root: '0x840fea91c48e8040fcabc748274526111a4e9aebeda76a21ddb9b0f9d3bdd9af',
})
const finalityBranch = [
  '0x4000000000000000000000000000000000000000000000000000000000000000',
  '0x10c726fac935bf9657cc7476d3cfa7bedec5983dcfb59e8a7df6d0a619e108d7',
  '0x285982f071ac45a6a036d5af08cf5d42f749964e75c37332f9cd98d1f3f9ac69',
  '0x95f9c7c621db355a489222cfb199b9722bcd1e8342e3e857b084225d755019d5',
  '0xf9be8ddda9eeb5ae40168cdaff99c7a2c6c35f15e18e0d5bd6a41035d3fa6085',
  '0x7bd256962edf47e0eb9c1e31aaa01821baddeeaa296efc95c00d2c509dfa6a4c',
  '0xa1381fdc64967103fe79c0705727851ce61e7f91bee7e3e7759f9283c91ff7ff',
]

test('an execution header of Electra stands in the body of its block', () => {
  expect(hexOf(rootOfBranch(executionHeaderRoot(execution), executionBranch.map(bytes), 9))).toBe(
    '0x1078188f82a3b186b59eabc9ad9dbf78678fc712f25839b54eae0de6745b66aa',
  )
})

test('a finalized header of Electra stands in the state of the attested one', () => {
  expect(hexOf(rootOfBranch(beaconHeaderRoot(finalized), finalityBranch.map(bytes), 41))).toBe(
    '0xebb9f9b03dcc53361bb7a78c62dcf0b40fb32e7dd1375c23f525b5918bcdba9c',
  )
})

test('the forks that signatures are made for are those of Ethereum: their digests are known', () => {
  const digestOf = (version: string) =>
    bytesToHex(sha256(concatBytes(hexToBytes(version.padEnd(64, '0')), genesisValidatorsRoot)).subarray(0, 4))
  expect(['04000000', '05000000'].map(digestOf)).toEqual(['6a95a1a9', 'ad532ceb'])
})

test('chunks are filled up with zeros, and numbers are written little end first', () => {
  const one = numberRoot(0x0102n)
  expect(hexOf(one)).toBe(`0x0201${'00'.repeat(30)}`)
  const zero = new Uint8Array(32)
  const pair = (left: Uint8Array, right: Uint8Array) => sha256(concatBytes(left, right))
  expect(merkleRoot([one, one, one])).toEqual(pair(pair(one, one), pair(one, zero)))
  expect(merkleRoot([one])).toEqual(one)
  expect(shortListRoot(new Uint8Array(0))).toEqual(pair(zero, zero))
})
