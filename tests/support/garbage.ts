import type { SendFault, SendResponse } from '#rpc-proxy'

/** A malformed reply around a valid result. The result must never count. */
export type Garbage = { readonly response: SendResponse } | { readonly fault: SendFault['kind'] }
export type GarbageMaker = (id: string, raw: string) => Garbage

const with200 = (body: string | Uint8Array): Garbage => ({
  response: { status: 200, retryAfter: null, body },
})
const withStatus = (status: number, body: string): Garbage => ({
  response: { status, retryAfter: null, body },
})
const good = (id: string, raw: string) => `{"jsonrpc":"2.0","id":${id},"result":${raw}}`

/** Text in error messages of nodes that must never reach a caller. */
export const planted = 'SECRET-8f2c'

/** Every malformed reply, by name. */
export const garbage = {
  html: () => with200('<!doctype html><title>Just a moment...</title>'),
  empty: () => with200(''),
  truncated: (id, raw) => with200(good(id, raw).slice(0, -1)),
  'value cut': (id, raw) => with200(good(id, raw.slice(0, -1))),
  trailing: (id, raw) => with200(`${good(id, raw)}x`),
  'single quotes': (id, raw) => with200(good(id, raw).replaceAll('"', "'")),
  'a bad member': (id, raw) => with200(`{"jsonrpc":"2.0","id":${id},"x":nope,"result":${raw}}`),
  'a bad key': (id, raw) => with200(`{"jsonrpc":"2.0","id":${id},"a\nb":1,"result":${raw}}`),
  'a bad escape': (id, raw) => with200(`{"jsonrpc":"2.0","id":${id},"x":"\\q","result":${raw}}`),
  'two objects': (id, raw) => with200(`${good(id, raw)}${good(id, raw)}`),
  'invalid UTF-8': (id, raw) =>
    with200(Uint8Array.from([...Buffer.from(good(id, raw)).subarray(0, -1), 0xff, 0x7d])),
  'no id': (_, raw) => with200(`{"jsonrpc":"2.0","result":${raw}}`),
  'another id': (id, raw) => with200(good(String(Number(id) + 1), raw)),
  'the id as text': (id, raw) => with200(good(`"${id}"`, raw)),
  'a null id': (_, raw) => with200(good('null', raw)),
  'another version': (id, raw) => with200(`{"jsonrpc":"1.0","id":${id},"result":${raw}}`),
  'no version': (id, raw) => with200(`{"id":${id},"result":${raw}}`),
  'result and error': (id, raw) =>
    with200(`{"jsonrpc":"2.0","id":${id},"result":${raw},"error":{"code":-32000,"message":"odd"}}`),
  'neither result nor error': (id) => with200(`{"jsonrpc":"2.0","id":${id}}`),
  'the id twice': (id, raw) => with200(`{"jsonrpc":"2.0","id":${id},"id":${id},"result":${raw}}`),
  'the id twice, escaped': (id, raw) => with200(`{"jsonrpc":"2.0","id":${id},"\\u0069d":7,"result":${raw}}`),
  'the result twice': (id, raw) => with200(`{"jsonrpc":"2.0","id":${id},"result":"0x0","result":${raw}}`),
  'the result twice, escaped': (id, raw) =>
    with200(`{"jsonrpc":"2.0","id":${id},"result":${raw},"\\u0072esult":${raw}}`),
  'an error that is text': (id) => with200(`{"jsonrpc":"2.0","id":${id},"error":"${planted}"}`),
  'an error that is null': (id) => with200(`{"jsonrpc":"2.0","id":${id},"error":null}`),
  'an error without a code': (id) =>
    with200(`{"jsonrpc":"2.0","id":${id},"error":{"message":"execution reverted"}}`),
  'an array around it': (id, raw) => with200(`[${good(id, raw)},${good(id, raw)}]`),
  'an unknown error': (id) =>
    with200(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"disk full ${planted}"}}`),
  'another shape': (id) => with200(good(id, '{"what":"7"}')),
  'a number for hex': (id) => with200(good(id, '5')),
  'not hex': (id) => with200(good(id, '"0xzz"')),
  'true for a value': (id) => with200(good(id, 'true')),
  'http 500': (id, raw) => withStatus(500, good(id, raw)),
  'http 404': (id, raw) => withStatus(404, good(id, raw)),
  'http 403': () => withStatus(403, planted),
  'http 204': () => withStatus(204, ''),
  redirect: (id, raw) => withStatus(302, good(id, raw)),
  'a followed redirect': () => ({ fault: 'redirect' }),
  'too large': () => ({ fault: 'too-large' }),
  'connection lost': () => ({ fault: 'connection' }),
} as const satisfies Record<string, GarbageMaker>

export type GarbageName = keyof typeof garbage
export const garbageNames = Object.keys(garbage) as readonly GarbageName[]
