import type { Row } from './row.ts'

const all = ['look', 'read', 'logs', 'call', 'send'] as const
const hour = 3_600_000
/** Rows are sent twelve hours before midnight. */
const restOfDay = 12 * hour

const error = (code: number, message: string, more: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, ...more } })

/** Rates and quotas. */
export const rateRows: readonly Row[] = [
  ...[429, 200].map(
    (http): Row => ({
      who: 'Alchemy',
      requests: all,
      http,
      code: 429,
      message:
        'Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message. If not, check out https://docs.alchemy.com/reference/throughput',
      wanted: http === 429 ? 'fault:rate-limited 1000' : 'fault:rate-limited',
    }),
  ),
  {
    who: 'Alchemy',
    requests: all,
    code: -32600,
    message:
      'Monthly capacity limit exceeded. Visit https://dashboard.alchemy.com/settings/billing to upgrade your scaling policy for continued service.',
    wanted: `fault:rate-limited ${6 * hour}`,
  },
  {
    who: 'Alchemy',
    requests: all,
    code: -32600,
    message: 'App is inactive, please contact your admin to reactivate.',
    wanted: 'cannot:unauthorized',
  },
  {
    who: 'Infura, the day used up',
    requests: all,
    http: 402,
    body: 'Payment Required',
    wanted: `fault:rate-limited ${restOfDay}`,
  },
  {
    who: 'Infura',
    requests: all,
    code: -32005,
    message: 'daily request count exceeded, request rate limited',
    wanted: `fault:rate-limited ${restOfDay}`,
  },
  ...[-32007, -32009].map(
    (code): Row => ({
      who: 'QuickNode',
      requests: all,
      http: 429,
      body: `{"code":${code},"message":"50/second request limit reached - reduce calls per second or upgrade your account at quicknode.com"}`,
      wanted: 'fault:rate-limited 1000',
    }),
  ),
  {
    who: 'Chainstack',
    requests: all,
    code: -32005,
    message: "You've exceeded the RPS limit available on the current plan.",
    wanted: 'fault:rate-limited',
  },
  ...[429, 200].map(
    (http): Row => ({
      who: 'Ankr, polygon-rpc',
      requests: all,
      http,
      code: -32090,
      message: 'Too many requests, reason: call rate limit exhausted, retry in 10s',
      data: { trace_id: 'd4e8' },
      wanted: 'fault:rate-limited 10000',
    }),
  ),
  {
    who: 'Ankr, polygon-rpc',
    requests: all,
    code: -32090,
    message: 'Too many requests, reason: call rate limit exhausted, retry in 10m0s',
    wanted: 'fault:rate-limited 600000',
  },
  {
    who: 'arb1',
    requests: all,
    http: 429,
    body: '{"jsonrpc":"2.0","error":{"code":429,"message":"Public RPC Rate Limit Hit, limit will reset in 60 seconds"}}',
    wanted: 'fault:rate-limited 60000',
  },
  {
    who: 'arb1 through Infura',
    requests: all,
    code: -32000,
    message: 'Public RPC Rate Limit Hit, limit will reset in 60 seconds',
    wanted: 'fault:rate-limited 60000',
  },
  {
    who: 'Satelink',
    requests: all,
    http: 402,
    body: error(-32005, 'free limit reached', { data: { resets_at: '2026-11-22T14:00:00Z' } }),
    wanted: `fault:rate-limited ${2 * hour}`,
  },
  {
    who: '1rpc',
    requests: all,
    code: -32001,
    message: 'You have reached the usage limit for your current plan',
    wanted: `fault:rate-limited ${6 * hour}`,
  },
  {
    who: 'dRPC',
    requests: all,
    http: 400,
    code: 35,
    message: 'chain is not available on free plan, please upgrade',
    wanted: 'cannot:unauthorized',
  },
  ...[
    [19, 'Temporary internal error. Please retry, trace-id: 5f2c'],
    [14, 'GRPC Context cancellation'],
  ].flatMap(([code, message]): readonly Row[] => [
    {
      who: 'dRPC',
      requests: ['look', 'hash'],
      code: Number(code),
      message: String(message),
      wanted: 'fault:error',
    },
    {
      who: 'dRPC',
      requests: ['look', 'hash'],
      http: 500,
      code: Number(code),
      message: String(message),
      wanted: 'fault:http',
    },
  ]),
  {
    who: 'TheRPC',
    requests: all,
    code: -32029,
    message: 'request limit reached',
    wanted: 'fault:rate-limited',
  },
  { who: 'Arc', requests: all, code: -32011, message: 'request limit reached', wanted: 'fault:rate-limited' },
  {
    who: 'blockreq',
    requests: ['read', 'logs', 'call'],
    code: -32601,
    message: 'public endpoint only serves recent blocks (last 1024)',
    wanted: 'cannot:pruned',
  },
  {
    who: 'Cloudflare-eth',
    requests: all,
    code: -32046,
    message: 'Cannot fulfill request',
    wanted: 'cannot:unauthorized',
  },
  {
    who: 'reth, over 500 sockets',
    requests: all,
    http: 429,
    body: 'Too many connections. Please try again later.',
    wanted: 'fault:rate-limited 1000',
  },
  ...[503, 403].flatMap((http): readonly Row[] => [
    {
      who: 'any',
      requests: ['look', 'read'],
      http,
      retryAfter: '30',
      body: '',
      wanted: 'fault:rate-limited 30000',
    },
    // A gateway timeout may be caused by heavy work of the caller.
    {
      who: 'any',
      requests: ['logs', 'call', 'send'],
      http,
      retryAfter: '30',
      body: '',
      wanted: 'fault:http',
    },
  ]),
  { who: 'any', requests: all, http: 402, retryAfter: '30', body: '', wanted: 'fault:rate-limited 30000' },
  { who: 'any', requests: all, http: 429, retryAfter: '0.5', body: '', wanted: 'fault:rate-limited 500' },
  { who: 'any', requests: all, http: 429, retryAfter: '10s', body: '', wanted: 'fault:rate-limited 10000' },
  { who: 'any', requests: all, http: 429, retryAfter: 'soon', body: '', wanted: 'fault:rate-limited 1000' },
  {
    who: 'any',
    requests: all,
    http: 429,
    retryAfter: 'Sun, 22 Nov 2026 12:00:20 GMT',
    body: '',
    wanted: 'fault:rate-limited 20000',
  },
  {
    who: 'any, a limit without words',
    requests: ['look', 'read', 'hash'],
    code: -32005,
    message: 'limit exceeded',
    wanted: 'fault:rate-limited',
  },
  {
    who: 'any, a limit without words on chosen work',
    requests: ['call', 'proof', 'send'],
    code: -32005,
    message: 'limit exceeded',
    wanted: 'cannot:execution',
  },
]
