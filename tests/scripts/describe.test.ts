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
const amount = {
  path: 'amount',
  label: 'Amount',
  format: 'tokenAmount',
  params: { token: '$.metadata.constants.token' },
}
const faults = (
  formats: object,
  rest: { readonly local?: Record<string, string>; readonly constants?: object } = {},
) =>
  descriptorFaults(
    {
      descriptor: {
        metadata: { constants: rest.constants ?? { token } },
        display: { formats },
      } as never,
      ...(rest.local && { local: rest.local }),
    },
    { abi },
  )
const stake = (format: object) => ({
  'stake(uint256 amount)': { intent: 'Stake', fields: [amount], ...format },
})

test('a descriptor fits whose functions, paths, constants and placeholders exist', async () => {
  expect(await faults(stake({ interpolatedIntent: 'Stake {amount}' }), { local: { token } })).toEqual([])
  const fields = [
    {
      path: '#.order.amounts.[]',
      label: 'Amounts',
      format: 'tokenAmount',
      params: { tokenPath: 'order.token' },
    },
    { path: 'order.route.[0:20]', label: 'First', format: 'addressName' },
    { path: '@.value', label: 'Paid', format: 'amount' },
    { path: 'isLast', label: 'Last', format: 'raw', visible: { mustMatch: [false] } },
  ]
  const key = 'fill((address token, uint256[] amounts, bytes route) order, bool isLast)'
  expect(await faults({ [key]: { intent: 'Fill', fields } })).toEqual([])
  expect(await descriptorFaults({ descriptor: erc20Descriptor }, undefined)).toEqual([
    'no contract of deployments.ts has this name, and `context` has no addresses',
  ])
})

test.each<[string, object, RegExp]>([
  [
    'a function that the contract does not have',
    { 'stake(uint128 amount)': { intent: 'Stake', fields: [] } },
    /no such function/,
  ],
  [
    'one that only reads',
    { 'staked(address who)': { intent: 'Read', fields: [] } },
    /no such function that writes/,
  ],
  ['a key that is none', { stake: { intent: 'Stake', fields: [] } }, /^stake: not a function/],
  [
    'a field of no parameter',
    stake({ fields: [{ ...amount, path: 'amounts' }] }),
    /No value found for field 'amounts'/,
  ],
  ['a placeholder without a field', stake({ interpolatedIntent: 'Stake {units}' }), /'units'/],
  [
    'a constant that is missing',
    stake({ fields: [{ ...amount, params: { token: '$.metadata.constants.tokn' } }] }),
    /Amount: token/,
  ],
  [
    'a definition that is missing',
    stake({ fields: [{ $ref: '$.display.definitions.sum' }] }),
    /definitions.sum/,
  ],
  [
    'a format that does not suit the type',
    {
      'fill((address token, uint256[] amounts, bytes route) order, bool isLast)': {
        intent: 'Fill',
        fields: [{ ...amount, path: 'isLast' }],
      },
    },
    /tokenAmount/,
  ],
  ['no intent', stake({ intent: undefined }), /no intent/],
  ['no function', {}, /^no function/],
])('a descriptor does not fit with %s', async (_, formats, fault) => {
  expect(await faults(formats)).toEqual([expect.stringMatching(fault)])
})

test('a descriptor does not fit whose local constants have no real ones', async () => {
  expect(await faults(stake({}), { local: { coin: token } })).toEqual([
    '`local` has coin, which metadata.constants does not have',
  ])
})
