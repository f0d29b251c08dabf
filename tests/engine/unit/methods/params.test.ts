import fc from 'fast-check'
import { formatTransactionRequest } from 'viem'
import { describe, expect, test } from 'vitest'
import { methodSpec, methods } from '../../../../rpc-proxy/methods/table.ts'
import { CallError } from '../../../../rpc-proxy/runtime/errors.ts'

const upper = `0x${'AB'.repeat(20)}`
const lower = `0x${'ab'.repeat(20)}`
const hash = `0x${'cd'.repeat(32)}`
const blobHash = `0x01${'cd'.repeat(31)}` as const
const word = (digits: string) => `0x${digits.padStart(64, '0')}`

const parse = (method: string, ...params: unknown[]) => methodSpec(method).parse(params)
const key = (method: string, ...params: unknown[]) => JSON.stringify(parse(method, ...params))

/** Expects a refusal that has this in its message. */
function refuses(method: string, params: readonly unknown[], sentence = '') {
  const error = { code: -32602, message: expect.stringContaining(sentence) }
  const refused = expect(() => parse(method, ...params))
  refused.toThrow(CallError)
  refused.toThrow(expect.objectContaining({ kind: 'bad-params', error: expect.objectContaining(error) }))
}

describe('all spellings of a call have one canonical text', () => {
  const call = { to: lower, data: '0xabcd' }
  test.each<[string, unknown[], unknown[]]>([
    ['eth_getBalance', [upper, 'latest'], [lower]],
    ['eth_getBalance', [lower, null], [lower, 'latest']],
    ['eth_getBalance', [lower, 'pending'], [lower, 'latest']],
    ['eth_getBalance', [`0X${'Ab'.repeat(20)}`, '0xA'], [lower, '0xa']],
    ['eth_getBalance', [lower, { blockNumber: '0xA' }], [lower, '0xa']],
    ['eth_getBalance', [lower, { blockNumber: 'latest' }], [lower]],
    ['eth_getBalance', [lower, hash.toUpperCase().replace('X', 'x')], [lower, { blockHash: hash }]],
    ['eth_getBalance', [lower, { blockHash: hash, requireCanonical: false }], [lower, { blockHash: hash }]],
    ['eth_getStorageAt', [lower, '0x'], [lower, word('0'), 'latest']],
    ['eth_getStorageAt', [lower, '0x01'], [lower, '0x1', 'latest']],
    ['eth_getStorageAt', [lower, word('1')], [lower, '0x1', 'latest']],
    ['eth_getProof', [lower, ['0x0A']], [upper, [word('a')], 'latest']],
    ['eth_call', [{ data: '0xABCD', to: upper }], [call, 'latest']],
    ['eth_call', [{ to: lower, input: '0xabcd' }], [call]],
    ['eth_call', [{ to: lower, input: '0xabcd', value: '0x1' }], [{ ...call, value: '0x1' }]],
    ['eth_call', [{ ...call, input: '0xABcd' }], [call]],
    ['eth_call', [{ ...call, from: null, gas: undefined }], [call]],
    ['eth_call', [{ ...call, type: '0x2', gasLimit: '0x1', foo: 1 }], [call]],
    ['eth_call', [call, 'latest', {}, {}], [call]],
    ['eth_call', [call, 'latest', null, null], [call]],
    [
      'eth_call',
      [call, 'latest', { [upper]: { balance: '0x1' }, [hash.slice(0, 42)]: { nonce: '0x2' } }],
      [call, 'latest', { [hash.slice(0, 42)]: { nonce: '0x2' }, [lower]: { balance: '0x1' } }],
    ],
    [
      'eth_call',
      [call, 'latest', { [lower]: { stateDiff: { [word('B')]: word('C'), [word('a')]: word('1') } } }],
      [call, 'latest', { [lower]: { stateDiff: { [word('a')]: word('1'), [word('b')]: word('c') } } }],
    ],
    ['eth_getBlockByNumber', ['latest'], ['latest', false]],
    ['eth_getBlockByNumber', [], ['latest', false]],
    ['eth_getBlockReceipts', [{ blockHash: hash }], [hash]],
    ['eth_getLogs', [{}], [{ fromBlock: 'latest', toBlock: 'latest' }]],
    ['eth_getLogs', [{ address: upper }], [{ address: [lower, upper], topics: [] }]],
    ['eth_getLogs', [{ address: [] }], [{ address: null }]],
    ['eth_getLogs', [{ topics: [[hash], []] }], [{ topics: [hash, null] }]],
    ['eth_getLogs', [{ topics: [[hash, null]] }], [{ topics: [null] }]],
    [
      'eth_getLogs',
      [{ topics: [[word('2'), word('1')]] }],
      [{ topics: [[word('1'), word('2'), word('1')]] }],
    ],
    ['eth_feeHistory', [4, 'latest', []], ['0x4']],
    ['eth_feeHistory', ['4', 'pending'], ['0x4', 'latest', null]],
  ])('%s %j = %j', (method, one, other) => {
    expect(key(method, ...one)).toBe(key(method, ...other))
  })

  test('which is in lower case, complete and in a fixed order', () => {
    expect(key('eth_call', { input: '0xABCD', to: upper, gas: '0x5208', from: upper })).toBe(
      JSON.stringify([{ from: lower, to: lower, gas: '0x5208', data: '0xabcd' }, 'latest']),
    )
    expect(parse('eth_getStorageAt', upper, '0x1')).toEqual([lower, word('1'), 'latest'])
    expect(parse('eth_getBlockByHash', hash.replace('cd', 'CD'))).toEqual([hash, false])
  })

  test.each<[string, unknown[], unknown[]]>([
    ['eth_call', [{ to: lower }], [{ to: lower, data: '0x00' }]],
    ['eth_call', [{ to: lower }], [{ from: lower }]],
    ['eth_call', [{ to: lower }, 'latest'], [{ to: lower }, 'safe']],
    ['eth_call', [{ to: lower }], [{ to: lower }, 'latest', { [lower]: {} }]],
    ['eth_call', [{ to: lower }, 'latest', {}, { time: '0x1' }], [{ to: lower }]],
    ['eth_getBalance', [lower, { blockHash: hash, requireCanonical: true }], [lower, { blockHash: hash }]],
    ['eth_getBlockByNumber', ['0x1', true], ['0x1', false]],
    ['eth_getBlockByNumber', ['earliest'], ['0x0']],
    ['eth_getTransactionCount', [lower, 'pending'], [lower, 'latest']],
    ['eth_getLogs', [{ topics: [hash, null] }], [{ topics: [hash] }]],
    ['eth_getLogs', [{ topics: [null, hash] }], [{ topics: [hash] }]],
    ['eth_getProof', [lower, ['0x1', '0x2']], [lower, ['0x2', '0x1']]],
  ])('different calls have different texts: %s %j and %j', (method, one, other) => {
    expect(key(method, ...one)).not.toBe(key(method, ...other))
  })
})

test('a blob transaction is simulated as viem sends it, by the hashes of its blobs', () => {
  const sent = formatTransactionRequest({
    type: 'eip4844',
    to: `0x${'ab'.repeat(20)}`,
    blobs: [`0x${'00'.repeat(131_072)}`],
    blobVersionedHashes: [blobHash],
    maxFeePerBlobGas: 5n,
  })
  expect(sent).toMatchObject({ type: '0x3', blobs: [expect.any(String)] })
  const call = { to: lower, maxFeePerBlobGas: '0x5', blobVersionedHashes: [blobHash] }
  for (const method of ['eth_call', 'eth_estimateGas']) expect(parse(method, sent)).toEqual([call, 'latest'])
})

describe('bad params are refused with a message that names them', () => {
  const call = { to: lower }
  test.each<[string, unknown[], string]>([
    ['eth_getBalance', [], 'missing value for required argument 0'],
    ['eth_getBalance', ['0x12'], 'invalid argument 0: want 0x and 40 hex digits, got "0x12"'],
    ['eth_getBalance', [5], 'invalid argument 0: want 0x and 40 hex digits, got 5'],
    ['eth_getBalance', [lower, 'Latest'], 'got "Latest"'],
    ['eth_getBalance', [lower, '0x01'], 'without leading zeros'],
    ['eth_getBalance', [lower, 16], 'got 16'],
    ['eth_getBalance', [lower, '0x'], 'invalid argument 1'],
    ['eth_getBalance', [lower, '0x8000000000000000'], 'invalid argument 1'],
    ['eth_getBalance', [lower, { blockHash: hash, blockNumber: '0x1' }], 'got an object'],
    ['eth_getBalance', [lower, 'latest', 1], 'too many arguments, want at most 2'],
    ['eth_chainId', [1], 'too many arguments, want at most 0'],
    ['eth_getBlockByNumber', ['pending'], 'invalid argument 0'],
    ['eth_getBlockByNumber', [hash], 'invalid argument 0'],
    ['eth_getBlockReceipts', ['pending'], 'invalid argument 0'],
    ['eth_getBlockByNumber', ['0x1', 'true'], 'invalid argument 1: want true or false, got "true"'],
    ['eth_getStorageAt', [lower, `0x${'0'.repeat(65)}`], 'invalid argument 1'],
    ['eth_call', [{ ...call, data: '0xabc' }], 'invalid argument 0: data: want 0x and an even number'],
    ['eth_call', [{ ...call, data: `0x${'00'.repeat(131073)}` }], 'at most 131072 bytes'],
    ['eth_call', [{ ...call, data: '0x01', input: '0x02' }], 'both "data" and "input" are set and not equal'],
    ['eth_call', [{ ...call, value: '0x00' }], 'invalid argument 0: value: want a quantity'],
    ['eth_call', [{ ...call, value: `0x1${'0'.repeat(64)}` }], 'invalid argument 0: value'],
    ['eth_call', [{ ...call, gas: '0x10000000000000000' }], 'invalid argument 0: gas'],
    ['eth_call', [{ ...call, gasPrice: '0x1', maxFeePerGas: '0x1' }], 'both gasPrice and'],
    ['eth_call', [{ ...call, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }], 'maxFeePerGas is less'],
    ['eth_call', [{ ...call, blobVersionedHashes: [] }], 'blob transaction missing blob hashes'],
    ['eth_call', [{ ...call, blobVersionedHashes: [blobHash, hash] }], 'blob 1 has invalid hash version'],
    ['eth_call', [{ blobVersionedHashes: [blobHash] }], 'blob transaction of type create'],
    ['eth_call', [{ ...call, blobVersionedHashes: Array(65).fill(blobHash) }], 'want at most 64 blob hashes'],
    ['eth_call', [{ ...call, blobs: ['0x'] }], 'blobs are not supported without blobVersionedHashes'],
    ['eth_call', [{ ...call, type: '0x5' }], 'invalid argument 0: type'],
    ['eth_sendRawTransaction', ['0x03'], 'invalid argument 0: blob transactions are not supported'],
    ['eth_call', [{ ...call, accessList: [{ address: lower }] }], 'accessList[0].storageKeys: want a list'],
    ['eth_call', [{ ...call, authorizationList: [] }], 'authorizationList is empty'],
    ['eth_call', ['0x'], 'invalid argument 0: want an object, got "0x"'],
    ['eth_call', [call, 'latest', { [lower]: { stateDif: {} } }], 'field "stateDif" is not supported'],
    ['eth_call', [call, 'latest', { [lower]: { state: {}, stateDiff: {} } }], 'both "state" and "stateDiff"'],
    ['eth_call', [call, 'latest', { [lower]: {}, [upper]: {} }], 'stands twice'],
    ['eth_call', [call, 'latest', { nobody: {} }], '"nobody" is not a key of accounts'],
    ['eth_call', [call, 'latest', {}, { withdrawals: [] }], 'field "withdrawals" is not supported'],
    ['eth_getLogs', [{ topics: [hash, hash, hash, hash, hash] }], 'topics: want at most 4 topics'],
    ['eth_getLogs', [{ topics: [hash, ['0x1']] }], 'topics: [1]: want 0x and 64 hex digits, got "0x1"'],
    ['eth_getLogs', [{ blockHash: hash, fromBlock: '0x1' }], 'cannot specify both blockHash'],
    ['eth_getLogs', [{ fromBlock: 'pending' }], 'fromBlock: want a block'],
    ['eth_feeHistory', ['0x0'], 'from 1 to 1024'],
    ['eth_feeHistory', ['0x401'], 'from 1 to 1024'],
    ['eth_feeHistory', [1, 'latest', [50, 50]], 'ascending'],
    ['eth_feeHistory', [1, 'latest', [101]], 'from 0 to 100'],
    ['eth_simulateV1', [{ blockStateCalls: [] }], 'empty input'],
    ['eth_getStorageValues', [{}], 'empty request'],
    ['eth_getFilterChanges', ['1'], 'want the id of a filter'],
  ])('%s %j', (method, params, sentence) => {
    refuses(method, params, sentence)
  })

  test('and repeat at most 64 characters of what was sent, none of them a control character', () => {
    const long = `\u001b[31m\r\n\u202e\u0000${'x'.repeat(10_000)}`
    for (const method of methods) {
      for (const params of [[long], [{ [long]: long }], [{ to: long, address: long }], [lower, long]]) {
        try {
          methodSpec(method).parse(params)
        } catch (error) {
          const { message } = (error as CallError).error
          expect(message).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
          expect((message.match(/x/g) ?? []).length).toBeLessThan(80)
          expect(message.length).toBeLessThan(260)
        }
      }
    }
  })
})

describe('bounds hold on both sides of the limit', () => {
  const call = { to: lower }
  const many = <Value>(count: number, make: (index: number) => Value) =>
    Array.from({ length: count }, (_, i) => make(i))
  const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
  const accounts = (count: number) =>
    Object.fromEntries(many(count, (index) => [addressOf(index), { nonce: '0x1' }]))
  const words = (count: number) => many(count, (index) => word(index.toString(16)))
  const slots = (count: number) => Object.fromEntries(words(count).map((slot) => [slot, word('1')]))
  const blocks = (count: number, calls: number) => ({
    blockStateCalls: many(count, () => ({ calls: many(calls, () => call) })),
  })
  test.each<[string, string, (count: number) => unknown[], number]>([
    ['addresses', 'eth_getLogs', (count) => [{ address: many(count, addressOf) }], 1000],
    ['topics', 'eth_getLogs', (count) => [{ topics: many(count, () => null) }], 4],
    ['alternatives', 'eth_getLogs', (count) => [{ topics: [words(count)] }], 1000],
    ['accounts', 'eth_call', (count) => [call, 'latest', accounts(count)], 64],
    ['slots', 'eth_call', (count) => [call, 'latest', { [lower]: { state: slots(count) } }], 1024],
    [
      'slots of two',
      'eth_call',
      (count) => [
        call,
        'latest',
        { [lower]: { state: slots(1000) }, [addressOf(1)]: { stateDiff: slots(count) } },
      ],
      24,
    ],
    ['data', 'eth_call', (count) => [{ data: `0x${'00'.repeat(count)}` }], 131072],
    ['raw', 'eth_sendRawTransaction', (count) => [`0x${'00'.repeat(count)}`], 131072],
    ['keys', 'eth_getProof', (count) => [lower, many(count, () => '0x1')], 256],
    ['percentiles', 'eth_feeHistory', (count) => [1, 'latest', many(count, (index) => index / 2)], 100],
    ['blocks', 'eth_feeHistory', (count) => [count], 1024],
    ['values', 'eth_getStorageValues', (count) => [{ [lower]: many(count, () => '0x1') }], 1024],
    ['calls', 'eth_simulateV1', (count) => [blocks(1, count)], 128],
    ['calls of two', 'eth_simulateV1', (count) => [blocks(2, count)], 64],
  ])('%s of %s', (_, method, params, max) => {
    expect(() => parse(method, ...params(max))).not.toThrow()
    refuses(method, params(max + 1))
  })

  test('one block more than eth_simulateV1 takes is refused with the code of its specification', () => {
    expect(() => parse('eth_simulateV1', blocks(16, 1))).not.toThrow()
    const tooMany = {
      kind: 'bad-params',
      error: { code: -38026, message: expect.stringContaining('at most 16') },
    }
    expect(() => parse('eth_simulateV1', blocks(17, 1))).toThrow(expect.objectContaining(tooMany))
  })
})

describe('any params', () => {
  const names = '0x 0X 0x0 0x01 latest pending __proto__'.split(' ')
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(...names, upper, lower, hash, `0x${'f'.repeat(64)}`),
    fc.stringMatching(/^0x[0-9a-fA-F]{0,80}$/),
  )
  const members = [
    'to data input gas address topics fromBlock blockHash accessList',
    'blockStateCalls calls stateOverrides requireCanonical state',
  ].flatMap((line) => line.split(' '))
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      text,
      text,
      fc.anything(),
      fc.array(tie('value'), { maxLength: 5 }),
      tie('object'),
    ),
    object: fc.dictionary(fc.oneof(text, fc.constantFrom(...members)), tie('value'), { maxKeys: 5 }),
  }))

  test('are accepted or refused with a CallError, without prototype pollution', () => {
    fc.assert(
      fc.property(fc.constantFrom(...methods), fc.array(value, { maxLength: 5 }), (method, params) => {
        try {
          methodSpec(method).parse(params)
        } catch (error) {
          expect(error).toBeInstanceOf(CallError)
        }
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      { numRuns: 5000 },
    )
  })

  test('canonical params are their own canonical params', () => {
    const hex = fc.stringMatching(/^0x[1-9a-fA-F][0-9a-fA-F]{0,15}$/)
    const account = fc.stringMatching(/^0x[0-9a-fA-F]{40}$/)
    const id = fc.stringMatching(/^0x[0-9a-fA-F]{64}$/)
    const blob = fc.stringMatching(/^0x(?:[0-9a-fA-F]{2}){0,40}$/)
    const block = fc.oneof(
      hex.filter((text) => text.length < 18),
      fc.constantFrom('latest', 'safe', 'finalized', 'earliest', undefined),
      fc.record({ blockHash: id, requireCanonical: fc.boolean() }, { requiredKeys: ['blockHash'] }),
    )
    const callObject = fc.record(
      {
        from: account,
        to: account,
        gas: hex,
        value: hex,
        data: blob,
        accessList: fc.array(fc.record({ address: account, storageKeys: fc.array(id) })),
      },
      { requiredKeys: [] },
    )
    const filter = fc.record(
      {
        address: fc.oneof(account, fc.array(account)),
        topics: fc.array(fc.oneof(fc.constant(null), id, fc.array(id)), { maxLength: 4 }),
        fromBlock: fc.constantFrom('0x1', 'latest'),
      },
      { requiredKeys: [] },
    )
    const calls = fc.oneof(
      fc.tuple(fc.constant('eth_getBalance'), fc.tuple(account, block)),
      fc.tuple(fc.constant('eth_call'), fc.tuple(callObject, block)),
      fc.tuple(fc.constant('eth_getStorageAt'), fc.tuple(account, hex, block)),
      fc.tuple(fc.constant('eth_getLogs'), fc.tuple(filter)),
    )
    fc.assert(
      fc.property(calls, ([method, params]) => {
        const once = methodSpec(method).parse(params)
        expect(JSON.stringify(methodSpec(method).parse(once))).toBe(JSON.stringify(once))
        const shouted = JSON.parse(JSON.stringify(params), (_, item: unknown) =>
          typeof item === 'string' && item.startsWith('0x') ? `0x${item.slice(2).toUpperCase()}` : item,
        ) as unknown[]
        expect(JSON.stringify(methodSpec(method).parse(shouted))).toBe(JSON.stringify(once))
      }),
      { numRuns: 2000 },
    )
  })
})
