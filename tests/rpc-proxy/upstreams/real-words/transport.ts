import type { Row } from './row.ts'

const all = ['look', 'read', 'logs', 'call', 'send'] as const
const own = ['look', 'hash'] as const
const others = ['look', 'read', 'call', 'send'] as const
const error = (code: number, message: string) => `"error":{"code":${code},"message":"${message}"}`

/** HTTP and envelopes. Refused batches are in batches.test.ts. */
export const transportRows: readonly Row[] = [
  {
    who: 'geth',
    requests: others,
    http: 413,
    body: 'content length too large (6000000>5242880)\n',
    wanted: 'fault:http',
  },
  { who: 'nginx', requests: ['logs'], http: 413, body: '', wanted: 'cannot:size' },
  { who: 'CloudFront, nginx', requests: ['logs'], http: 504, body: '<html></html>', wanted: 'cannot:size' },
  { who: 'geth', requests: all, http: 415, body: 'invalid content type\n', wanted: 'fault:http' },
  { who: 'besu', requests: own, http: 408, code: -32603, message: 'Timeout expired', wanted: 'fault:http' },
  {
    who: 'besu',
    requests: ['logs'],
    http: 408,
    code: -32603,
    message: 'Timeout expired',
    wanted: 'cannot:size',
  },
  {
    who: 'besu',
    requests: all,
    http: 401,
    code: -40100,
    message: 'Unauthorized',
    wanted: 'cannot:unauthorized',
  },
  {
    who: 'besu',
    requests: ['look', 'hash'],
    http: 400,
    code: -32600,
    message: 'Invalid Request',
    wanted: 'fault:http',
  },
  {
    who: 'nethermind',
    requests: ['read', 'call', 'send'],
    http: 413,
    code: -32005,
    message: 'Request body too large',
    wanted: 'cannot:size',
  },
  { who: 'nethermind, at its end', requests: all, http: 503, body: '', wanted: 'fault:http' },
  ...[500, 502, 503].flatMap((http): readonly Row[] => [
    {
      who: 'a gateway',
      requests: ['read', 'call'],
      http,
      code: -32000,
      message: `missing trie node ${'ab'.repeat(32)}`,
      wanted: 'cannot:pruned',
    },
    {
      who: 'a gateway',
      requests: ['look', 'read'],
      http,
      code: -32000,
      message: 'header not found',
      wanted: 'behind',
    },
    {
      who: 'a gateway',
      requests: all,
      http,
      code: -32090,
      message: 'call rate limit exhausted, retry in 10s',
      wanted: 'fault:rate-limited 10000',
    },
    { who: 'a gateway', requests: own, http, code: -32000, message: 'oops', wanted: 'fault:http' },
    {
      who: 'a gateway',
      requests: ['call'],
      http,
      code: 3,
      message: 'execution reverted',
      wanted: 'fault:http',
    },
  ]),
  { who: 'any', requests: ['call'], http: 400, code: 3, message: 'execution reverted', wanted: 'fault:http' },
  {
    who: 'any',
    requests: ['call'],
    http: 400,
    body: '{"jsonrpc":"2.0","id":ID,"result":"0x7"}',
    wanted: 'fault:http',
  },
  ...['"id":null,', '', '"id":99,'].flatMap((id): readonly Row[] => [
    {
      who: `an error with ${id || 'no id'}`,
      requests: ['read', 'call'],
      body: `{"jsonrpc":"2.0",${id}${error(-32000, 'header not found')}}`,
      wanted: 'behind',
    },
    {
      who: `an error with ${id || 'no id'}`,
      requests: all,
      body: `{"jsonrpc":"2.0",${id}${error(-32090, 'too many requests')}}`,
      wanted: 'fault:rate-limited',
    },
    {
      who: `an unknown error with ${id || 'no id'}`,
      requests: own,
      body: `{"jsonrpc":"2.0",${id}${error(-32000, 'oops')}}`,
      wanted: 'fault:error',
    },
    // It could be the error of another call.
    {
      who: `a revert with ${id || 'no id'}`,
      requests: ['call'],
      body: `{"jsonrpc":"2.0",${id}${error(3, 'execution reverted')}}`,
      wanted: 'fault:wrong-id',
    },
    {
      who: `a refusal with ${id || 'no id'}`,
      requests: ['send'],
      body: `{"jsonrpc":"2.0",${id}${error(-32000, 'nonce too low')}}`,
      wanted: 'fault:wrong-id',
    },
    {
      who: `a result with ${id || 'no id'}`,
      requests: all,
      body: `{"jsonrpc":"2.0",${id}"result":"0x7"}`,
      wanted: id === '"id":99,' ? 'fault:wrong-id' : 'fault:malformed',
    },
  ]),
  {
    who: 'a proxy, null joined the result',
    requests: all,
    body: '{"jsonrpc":"2.0","id":ID,"error":null,"result":"0x7"}',
    wanted: 'result',
  },
  {
    who: 'a proxy, null joined the error',
    requests: ['look', 'call'],
    body: `{"jsonrpc":"2.0","id":ID,"result":null,${error(-32000, 'header not found')}}`,
    wanted: 'behind',
  },
  {
    who: 'a proxy, null for both',
    requests: ['hash'],
    body: '{"jsonrpc":"2.0","id":ID,"result":null,"error":null}',
    wanted: 'result',
  },
  {
    who: 'a result and an error',
    requests: ['look', 'call'],
    body: `{"jsonrpc":"2.0","id":ID,"result":"0x7",${error(-32000, 'header not found')}}`,
    wanted: 'fault:malformed',
  },
  ...[
    '{"code":-32000,"message":"header not found"}',
    '{"error":"header not found"}',
    '{"id":ID,"error":{"code":-32000,"message":"header not found"}}',
    '{"error":{"message":"header not found"}}',
    '[{"message":"header not found","code":-32000}]',
  ].flatMap((body): readonly Row[] => [
    { who: `a gateway’s ${body}`, requests: ['look', 'call'], http: 400, body, wanted: 'behind' },
    { who: `a gateway’s ${body}`, requests: ['look', 'call'], body, wanted: 'fault:malformed' },
  ]),
  ...['error code: 1015', '<title>Error 1015 Ray ID</title>'].flatMap((body): readonly Row[] => [
    { who: 'Cloudflare', requests: all, http: 429, body, wanted: 'fault:rate-limited 60000' },
    { who: 'Cloudflare', requests: all, http: 403, body, wanted: 'fault:rate-limited 60000' },
  ]),
  ...['error code: 1010', 'error code: 1020', '<title>Attention Required! | Cloudflare</title>'].flatMap(
    (body): readonly Row[] => [
      { who: 'Cloudflare', requests: ['look', 'read'], http: 403, body, wanted: 'cannot:unauthorized' },
      { who: 'Cloudflare', requests: ['call', 'logs'], http: 403, body, wanted: 'cannot:execution' },
    ],
  ),
  ...[520, 522, 525, 526].map(
    (http): Row => ({
      who: 'Cloudflare',
      requests: all,
      http,
      body: `error code: ${http}`,
      wanted: 'fault:http',
    }),
  ),
  ...[403, 502, 504].map(
    (http): Row => ({
      who: 'CloudFront, nginx',
      requests: http === 504 ? others : all,
      http,
      body: '<!DOCTYPE html><html><head><title>ERROR: The request could not be satisfied</title></head></html>',
      wanted: 'fault:http',
    }),
  ),
  ...['', '<html></html>'].map(
    (body): Row => ({ who: 'any', requests: all, body, wanted: 'fault:malformed' }),
  ),
  {
    who: 'any, a line feed at the end',
    requests: all,
    body: '{"jsonrpc":"2.0","id":ID,"result":"0x7"}\n',
    wanted: 'result',
  },
  ...[301, 308].map(
    (http): Row => ({ who: '1rpc', requests: all, http, body: '', wanted: 'fault:redirect' }),
  ),
]
