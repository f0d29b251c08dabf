import { describe, expect, test } from 'vitest'
import { type BatchEntry, decode, readResponse, readResponses } from '../../../../rpc-proxy/wire/json-rpc.ts'

const read = (text: string, batchCallsMax = 3) => decode(text, { batchCallsMax })
const call = (members: string) => `{"jsonrpc":"2.0",${members}}`

function single(text: string): BatchEntry {
  const decoded = read(text)
  if (decoded.kind !== 'single') throw new Error(`unexpected kind ${decoded.kind}`)
  return decoded.entry
}

function codeOf(text: string): number | undefined {
  const decoded = read(text)
  if (decoded.kind === 'refused') return decoded.error.error.code
  return decoded.kind === 'single' && 'error' in decoded.entry ? decoded.entry.error.error.code : undefined
}

describe('an invalid call is refused, with its id if that can be read', () => {
  test.each([
    ['no JSON', '{', -32700],
    ['an empty text', '', -32700],
    ['a trailing comma', '{"a":1,}', -32700],
    ['a byte order mark', '\ufeff{}', -32700],
    ['a number', '1', -32600],
    ['null', 'null', -32600],
    ['an empty batch', '[]', -32600],
    ['an empty object', '{}', -32600],
    ['no method', call('"id":1'), -32600],
    ['a method that is no text', call('"id":1,"method":1'), -32600],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"m"}', -32600],
    ['no version', '{"id":1,"method":"m"}', -32600],
    ['params that are text', call('"id":1,"method":"m","params":"latest"'), -32600],
    ['params by name', call('"id":1,"method":"m","params":{}'), -32602],
    ['an id that is an object', call('"id":{},"method":"m"'), -32600],
    ['an id that is a list', call('"id":[1],"method":"m"'), -32600],
    ['an id that is true', call('"id":true,"method":"m"'), -32600],
    ['two ids', call('"id":1,"id":2,"method":"m"'), -32600],
    ['two methods', call('"id":1,"method":"m","method":"n"'), -32600],
    ['two methods, one behind an escape', call('"id":1,"method":"m","m\\u0065thod":"n"'), -32600],
    ['two params', call('"id":1,"method":"m","params":[],"params":[1]'), -32600],
  ])('%s', (_, text, code) => {
    expect(codeOf(text)).toBe(code)
  })

  test('the error has the id of the call', () => {
    expect(single(call('"id":"x","method":1'))).toMatchObject({ id: '"x"' })
    expect(single('{"id":5,"method":"m"}')).toMatchObject({ id: '5' })
    expect(single(call('"id":{},"method":"m"'))).toMatchObject({ id: 'null' })
  })

  test('a notification with bad params is still a notification', () => {
    expect(single(call('"method":"m","params":{}'))).toMatchObject({ id: undefined })
  })

  test('nesting is allowed to a depth of 32', () => {
    const text = (depth: number) =>
      call(`"id":1,"method":"m","params":${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(codeOf(text(31))).toBeUndefined()
    expect(codeOf(text(32))).toBe(-32600)
    expect(codeOf('['.repeat(100_000))).toBe(-32600)
  })
})

describe('a batch', () => {
  test('has one entry per element, each valid or invalid on its own', () => {
    const decoded = read(`[${call('"id":1,"method":"m"')}, 5 ,${call('"id":3,"method":""')}]`)
    expect(decoded).toMatchObject({
      kind: 'batch',
      entries: [{ call: { id: '1' } }, { id: 'null', error: { error: { code: -32600 } } }, { id: '3' }],
    })
  })

  test('may be written over several lines', () => {
    const one = (id: number) => call(`"id":${id},"method":"m"`)
    expect(read(`[\n  ${one(1)} ,\n  ${one(2)}\n]\n`)).toMatchObject({
      kind: 'batch',
      entries: [{ call: { id: '1' } }, { call: { id: '2' } }],
    })
    expect(read(`[${one(1)}\n,{}\t,{"id":3}\r\n,${one(4)} ]`)).toMatchObject({
      batch: { calls: 4, ids: ['1', '3', '4'] },
    })
  })

  test('may be as long as the limit; one more is refused as a whole, with the ids that can be read', () => {
    const one = (id: string) => call(`"id":${id},"method":"m"`)
    expect(read(`[${[1, 2, 3].map(String).map(one).join()}]`)).toMatchObject({ kind: 'batch' })
    expect(read(`[${one('1')},{"method":"m"},${one('"b"')},${one('{}')},7,${one('1.0')}]`)).toMatchObject({
      kind: 'refused',
      error: { status: 413, error: { code: -32600 } },
      batch: { calls: 6, ids: ['1', '"b"', '1.0'] },
    })
  })
})

const whole = '{"jsonrpc":"2.0","id":1,"result":"0xa"}'

describe('one response', () => {
  const withMembers = (count: number) => call(`${'"a":0,'.repeat(count - 3)}"id":1,"result":"0xa"`)
  const withMember = (chars: number) => call(`"id":1,"x":"${'x'.repeat(chars - 2)}","result":"0xa"`)
  const refused = { code: 3, message: 'no', data: undefined }

  test.each<[string, string, object | null]>([
    [
      'the text of its result',
      ' {"id" : 7, "result": {"a": [1 ]} ,"jsonrpc":"2.0", "x":{"id":3}}\n',
      { id: '7', raw: '{"a": [1 ]}' },
    ],
    ['null as its result', call('"id":1,"result":null'), { id: '1', raw: 'null' }],
    [
      'an error with data',
      call('"id":1,"error":{"code":3,"message":"no","data":"0x"}'),
      { id: '1', error: { ...refused, data: '0x' } },
    ],
    ['a result beside null', call('"id":1,"result":1,"error":null'), { id: '1', raw: '1' }],
    ['null twice', call('"id":1,"result":null,"error":null'), { id: '1', raw: 'null' }],
    [
      'an error beside null',
      call('"id":1,"result":null,"error":{"code":3,"message":"no"}'),
      { id: '1', error: refused },
    ],
    ['16 members', withMembers(16), { id: '1', raw: '"0xa"' }],
    ['17 members', withMembers(17), null],
    ['a member of 4,096 characters', withMember(4096), { id: '1', raw: '"0xa"' }],
    ['a member of 4,097 characters', withMember(4097), null],
  ])('with %s', (_, text, expected) => {
    expect(readResponse(text)).toEqual(expected)
  })

  test.each([
    'null',
    '[]',
    '{"jsonrpc":2.0,"id":1,"result":1}',
    '{"jsonrpc":"2.0","result":1}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":1,"result":1,"error":"no"}',
    '{"jsonrpc":"2.0","result":null,"error":null}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":"3","message":"no"}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":3}}',
    '{"jsonrpc":"2.0","id":1,"error":[3,"no"]}',
  ])('is malformed in %j', (text) => {
    expect(readResponse(text)).toBeNull()
  })

  test.each(['result', 'error'])('is malformed when its %s would take a second to parse', (name) => {
    const value = `{"code":1,"message":"no","data":[${'{},'.repeat(1_000_000)}0]}`
    expect(readResponse(`{"jsonrpc":"2.0","id":1,"${name}":${value}}`)).toBeNull()
  })
})

describe('the responses of a batch', () => {
  const one = (id: number, result = `"0x${id}"`) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`

  test('may be written over several lines', () => {
    const responses = readResponses(`[\n  ${one(1)} ,\n  ${one(2)}\n]\n`, 2)
    expect([...(responses?.byId.keys() ?? [])]).toEqual(['1', '2'])
  })

  test('with a duplicate id are dropped', () => {
    expect(readResponses(`[${one(1, '1')},${one(1, '2')}]`, 3)?.byId.get('1')).toBeNull()
    expect(readResponses(`[${one(1, '1')},${one(1, '2')},${one(1, '3')}]`, 3)?.byId.get('1')).toBeNull()
  })

  test('are dropped when there are more responses than calls', () => {
    expect(readResponses(`[${one(1)},${one(2)},${one(3)}]`, 3)?.byId.size).toBe(3)
    expect(readResponses(`[${one(1)},${one(2)},${one(3)},0]`, 3)).toBeNull()
  })

  test.each(['', '{}', whole, `[${whole}`, `[${whole}]]`, `[${whole},]`])('are none in %j', (text) => {
    expect(readResponses(text, 3)).toBeNull()
  })
})
