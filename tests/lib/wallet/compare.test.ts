import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { tokenCall } from '#lib/token/erc20.ts'
import { compareSent, failedInside, readSent, type SentCall } from '#lib/wallet/compare.ts'
import type { WalletCall } from '#lib/wallet/meaning.ts'
import { third as bundler, own as from, other as to } from './accounts.ts'
import { word, words } from './event-words.ts'

const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
const data = tokenCall('transfer', bundler, 5n)
const reviewed: WalletCall = { from, to, value: 0n, data }
const paid = { ...reviewed, value: 7n }
const sent: SentCall = { from, to, value: '0x0', data }

const abi = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'function execute(address to, uint256 value, bytes data)',
  'function handle(address account, bytes operation)',
  'function executeBatch(Call[] calls)',
  'function executeBatch(address[] to, uint256[] values, bytes[] data)',
])
const encode = (functionName: string, ...args: readonly unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never)

/** An operation of an account in the input of a bundler, as ERC-4337 has it. */
const wrap = ({ from, to, value, data }: WalletCall): SentCall => ({
  from: bundler,
  to: entryPoint,
  value: '0x0',
  data: encode('handle', from, encode('execute', to, value, data)),
})

/** Several calls in the input of the account itself, in one list or in a list for each part. */
const inOneList = (calls: readonly WalletCall[]) => encode('executeBatch', calls)
const inThreeLists = (calls: readonly WalletCall[]) =>
  encode('executeBatch', ...(['to', 'value', 'data'] as const).map((part) => calls.map((call) => call[part])))

describe('several calls in one transaction', () => {
  const approval: WalletCall = { from, to, value: 0n, data: tokenCall('approve', bundler, 5n) }
  const act: WalletCall = { from, to: bundler, value: 3n, data: '0x12345678' }
  const compare = (input: Hex) => compareSent({ from, to: from, value: '0x0', data: input }, approval, act)

  test.each([
    ['one list', inOneList],
    ['a list for each part', inThreeLists],
  ])('are what was reviewed where all of them are in the input, in %s', (_, inForm) => {
    expect(compare(inForm([approval, act]))).toBe('wrapped')
    const twice: SentCall = { from, to: from, value: '0x0', data: inForm([approval, approval]) }
    expect(compareSent(twice, approval, approval)).toBe('wrapped')
  })

  test.each<[string, readonly WalletCall[]]>([
    ['one is missing', [approval]],
    ['one is another', [approval, { ...act, data: '0x12345679' }]],
    ['one pays another amount', [approval, { ...act, value: 4n }]],
    ['one goes elsewhere', [approval, { ...act, to: entryPoint }]],
    ['their order is another', [act, approval]],
  ])('are not where %s', (_, calls) => {
    for (const inForm of [inOneList, inThreeLists]) expect(compare(inForm(calls))).toBe('different')
  })

  test('are not the first of them alone', () => {
    expect(compareSent({ from, to, value: '0x0', data: approval.data }, approval, act)).toBe('different')
  })
})

describe('what was sent beside what was reviewed', () => {
  test('is the same in any case of its letters', () => {
    expect(compareSent(sent, reviewed)).toBe('same')
    expect(compareSent({ ...sent, from: from.toLowerCase() as `0x${string}` }, reviewed)).toBe('same')
  })

  test.each([
    ['from', { from: bundler }],
    ['to', { to: bundler }],
    ['to, a new contract', { to: null }],
    ['value', { value: '0x1' }],
    ['data', { data: tokenCall('transfer', bundler, 6n) }],
    ['data that goes on', { data: `${data}00` }],
    ['no data', { data: '0x' }],
    // An account without code cannot have others execute its call.
    ['a contract that gets the whole call as input', { to: entryPoint, data: wrap(reviewed).data }],
  ] as const)('is different in %s', (_, change) => {
    expect(compareSent({ ...sent, ...change }, reviewed)).toBe('different')
  })

  test('is wrapped where a bundler, a relayer or the account’s own code executes it', () => {
    expect(compareSent(wrap(reviewed), reviewed)).toBe('wrapped')
    expect(compareSent({ ...wrap(reviewed), from, to: from }, reviewed)).toBe('wrapped')
    expect(compareSent(wrap(paid), paid)).toBe('wrapped')
  })

  test.each([
    ['another account', { from: bundler }],
    ['another recipient', { to: bundler }],
    ['another value', { value: 1n }],
    ['other data', { data: tokenCall('transfer', from, 5n) }],
  ] as const)('is different where a bundler executes a call with %s', (_, change) => {
    expect(compareSent(wrap({ ...paid, ...change }), paid)).toBe('different')
  })

  const shown = { from, to, value: '0x0' }

  test.each([
    ['as its input', { ...shown, input: data }, sent],
    ['as its data', sent, sent],
    ['with a new contract', { ...shown, to: null, input: data }, { ...sent, to: null }],
    ['not without input', shown, null],
    ['not with another input than bytes', { ...shown, input: 'x' }, null],
    ['not with another value than a quantity', { ...shown, value: 'x', input: data }, null],
    ['not where it is null', null, null],
    ['not where it is missing', undefined, null],
    ['not where it is a list', [], null],
  ])('is read from a reply: %s', (_, reply, call) => {
    expect(readSent(reply)).toEqual(call)
  })
})

describe('a call that failed inside of a transaction that did not', () => {
  const executionFailure = '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23'
  const userOperation = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'
  const safe = { address: from, topics: [executionFailure], data: words(0n, 0n) }
  const operation = (success: bigint, account: Hex = from) => ({
    address: entryPoint,
    topics: [userOperation, word(1n), word(account), word(0n)],
    data: words(7n, success, 1n, 1n),
  })

  test.each([
    ['a Safe tells of it', [safe], true],
    ['a Safe of others tells of it', [{ ...safe, address: to }], false],
    ['an operation has failed', [operation(0n)], true],
    ['an operation has succeeded', [operation(1n)], false],
    ['an operation of others has failed', [operation(0n, to)], false],
    ['nothing tells of it', [], false],
  ])('%s', (_, logs, isFailed) => {
    expect(failedInside(logs, from)).toBe(isFailed)
  })
})
