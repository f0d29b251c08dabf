import { describe, expect, test } from 'vitest'
import { readResponse, readResponses } from '../../../../rpc-proxy/wire/json-rpc.ts'

const whole = '{"jsonrpc":"2.0","id":1,"result":"0xa"}'

describe('one response', () => {
  test('has an id and the text of its result', () => {
    expect(readResponse(' {"id" : 7, "result": {"a": [1 ]} ,"jsonrpc":"2.0", "x":{"id":3}}\n')).toEqual({
      id: '7',
      raw: '{"a": [1 ]}',
    })
    expect(readResponse('{"jsonrpc":"2.0","id":1,"result":null}')).toEqual({ id: '1', raw: 'null' })
  })

  test('or has an error', () => {
    expect(readResponse('{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"no","data":"0x"}}')).toEqual({
      id: '1',
      error: { code: 3, message: 'no', data: '0x' },
    })
  })

  test('where a null result or error next to the other counts as absent', () => {
    const beside = '{"jsonrpc":"2.0","id":1,"result":1,"error":null}'
    expect(readResponse(beside)).toEqual({ id: '1', raw: '1' })
    const both = '{"jsonrpc":"2.0","id":1,"result":null,"error":null}'
    expect(readResponse(both)).toEqual({ id: '1', raw: 'null' })
    const failed = '{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":3,"message":"no"}}'
    expect(readResponse(failed)).toEqual({ id: '1', error: { code: 3, message: 'no', data: undefined } })
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

  const withMembers = (count: number) =>
    `{${'"a":0,'.repeat(count - 3)}"jsonrpc":"2.0","id":1,"result":"0xa"}`
  test('may have only a few extra members', () => {
    expect(readResponse(withMembers(16))).toEqual({ id: '1', raw: '"0xa"' })
    expect(readResponse(withMembers(17))).toBeNull()
  })

  const withMember = (chars: number) =>
    `{"jsonrpc":"2.0","id":1,"x":"${'x'.repeat(chars - 2)}","result":"0xa"}`
  test('may have a short extra member', () => {
    expect(readResponse(withMember(4096))).toEqual({ id: '1', raw: '"0xa"' })
    expect(readResponse(withMember(4097))).toBeNull()
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
