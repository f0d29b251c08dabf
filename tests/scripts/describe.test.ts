import { parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { erc20Descriptor } from '#lib/token/erc20-descriptor.ts'
import { descriptorFaults } from '../../scripts/describe/check.ts'

const abi = parseAbi([
  'function stake(uint256 amount)',
  'function staked(address) view returns (uint256)',
  'struct Order { address token; uint256[] amounts; bytes route; }',
  'function fill(Order order, bool isLast) payable',
])
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const constant = { token: '$.metadata.constants.token' }
const amount = { path: 'amount', label: 'Amount', format: 'tokenAmount', params: constant }
const faults = (formats: object, more: { readonly local?: Record<string, string> } = {}) => {
  const descriptor = { metadata: { constants: { token } }, display: { formats } } as never
  return descriptorFaults({ descriptor, ...more }, { abi })
}
const stake = (format: object) => ({
  'stake(uint256 amount)': { intent: 'Stake', fields: [amount], ...format },
})
const stakeOf = (change: object) => stake({ fields: [{ ...amount, ...change }] })
const fill = (fields: readonly object[]) => ({
  'fill((address token, uint256[] amounts, bytes route) order, bool isLast)': { intent: 'Fill', fields },
})
const reading = { intent: 'Read', fields: [] }

test('a descriptor fits whose functions, paths, constants and placeholders exist', async () => {
  expect(await faults(stake({ interpolatedIntent: 'Stake {amount}' }), { local: { token } })).toEqual([])
  const fields = [
    { ...amount, path: '#.order.amounts.[]', params: { tokenPath: 'order.token' } },
    { path: 'order.route.[0:20]', label: 'First', format: 'addressName' },
    { path: '@.value', label: 'Paid', format: 'amount' },
    { path: 'isLast', label: 'Last', format: 'raw', visible: { mustMatch: [false] } },
  ]
  expect(await faults(fill(fields))).toEqual([])
  expect(await descriptorFaults({ descriptor: erc20Descriptor }, undefined)).toEqual([
    'no contract of deployments.ts has this name, and `context` has no addresses',
  ])
})

test.each<[string, object, RegExp]>([
  ['a function that the contract does not have', { 'stake(uint128 amount)': reading }, /no such function/],
  ['one that only reads', { 'staked(address who)': reading }, /no such function that writes/],
  ['a key that is none', { stake: reading }, /^stake: not a function/],
  ['a field of no parameter', stakeOf({ path: 'amounts' }), /No value found for field 'amounts'/],
  ['a placeholder without a field', stake({ interpolatedIntent: 'Stake {units}' }), /'units'/],
  ['no such constant', stakeOf({ params: { token: '$.metadata.constants.tokn' } }), /Amount: token/],
  ['no such definition', stake({ fields: [{ $ref: '$.display.definitions.sum' }] }), /definitions.sum/],
  ['a format that does not suit the type', fill([{ ...amount, path: 'isLast' }]), /tokenAmount/],
  ['no intent', stake({ intent: undefined }), /no intent/],
  ['no function', {}, /^no function/],
])('a descriptor does not fit with %s', async (_, formats, fault) => {
  expect(await faults(formats)).toEqual([expect.stringMatching(fault)])
})

test('a descriptor does not fit whose local constants have no real ones', async () => {
  const fault = '`local` has coin, which metadata.constants does not have'
  expect(await faults(stake({}), { local: { coin: token } })).toEqual([fault])
})
