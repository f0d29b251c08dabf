import type { DemoCall } from '../demo-call.ts'
import type { Edge } from './edge.ts'
import type { ClientRpcError } from './error-texts.ts'

/** The form of a refusal: a response object, a bare error or an HTML page. */
export type ErrorBody = 'response' | 'error-only' | 'bare' | 'page'

export interface ProviderError {
  readonly status: number
  readonly form: ErrorBody
  readonly error: ClientRpcError
}

/** What a provider adds in front of a client. The figures are those of the plan in its name. */
export interface Provider {
  /** Maximum blocks of one eth_getLogs, and the error above it. */
  readonly logsBlocks?: {
    readonly most: number
    readonly providerError: (from: number, to: number) => ProviderError
  }
  /** Maximum logs in one reply, and the error above it. `from` and `to` are the requested blocks. */
  readonly logs?: {
    readonly most: number
    readonly providerError: (from: number, to: number) => ProviderError
  }
  /** Blocks behind the head with available state. */
  readonly depth?: { readonly blocks: number; readonly providerError: ProviderError }
  /** Maximum calls in one POST, and the refusal of a larger batch. */
  readonly batch?: {
    readonly most: number
    readonly providerError: (calls: readonly DemoCall[]) => BatchError
  }
  /** Refuses some calls regardless of the chain. */
  readonly refuses?: (call: DemoCall) => ProviderError | null
  readonly edge?: Edge
  /** Refuses requests without a User-Agent. */
  readonly wantsUserAgent?: boolean
}

export interface BatchError {
  readonly status: number
  /** A string is an HTML page. */
  readonly body: unknown
}

const providerError = (
  code: number,
  message: string,
  {
    status = 200,
    form = 'response' as ErrorBody,
    data,
  }: { status?: number; form?: ErrorBody; data?: unknown } = {},
): ProviderError => ({ status, form, error: { code, message, ...(data === undefined ? {} : { data }) } })

const hex = (number: number) => `0x${number.toString(16)}`

/** One error object without an id for the whole batch. */
const oneObject = (code: number, message: string, status = 200): BatchError => ({
  status,
  body: { jsonrpc: '2.0', id: null, error: { code, message } },
})

export const providers = {
  // Behaviour of load balancers and gateways in front of any client.
  'idle-resets': { edge: 'resets-on-reuse' },
  'two-heads': { edge: 'two-nodes' },
  'gateway-pages': {
    logsBlocks: {
      most: 1000,
      providerError: () => providerError(0, 'Gateway Timeout', { status: 504, form: 'page' }),
    },
    batch: {
      most: 100,
      providerError: () => ({ status: 413, body: '<html><h1>413 Request Entity Too Large</h1></html>' }),
    },
  },
  'alchemy-free': {
    logsBlocks: {
      most: 10,
      providerError: (from) =>
        providerError(
          -32600,
          'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. ' +
            `Based on your parameters, this block range should work: [${hex(from)}, ${hex(from + 9)}]. Upgrade to PAYG for expanded block range.`,
          { status: 400 },
        ),
    },
    batch: { most: 1000, providerError: () => oneObject(-32600, 'Batch size too large', 400) },
  },
  infura: {
    logs: {
      most: 10_000,
      providerError: (from, to) =>
        providerError(
          -32005,
          `query returned more than 10000 results. Try with this block range [${hex(from)}, ${hex(from + ((to - from) >> 1))}].`,
          { data: { from: hex(from), to: hex(from + ((to - from) >> 1)), limit: 10_000 } },
        ),
    },
  },
  'quicknode-free': {
    logsBlocks: {
      most: 5,
      providerError: () => providerError(-32614, 'eth_getLogs is limited to a 5 range', { status: 413 }),
    },
  },
  'chainstack-free': {
    logsBlocks: {
      most: 100,
      providerError: () =>
        providerError(-32602, 'Block range limit exceeded. See more details at https://docs.chainstack.com/'),
    },
    depth: {
      blocks: 127,
      providerError: providerError(
        -32002,
        'Archive, Debug and Trace requests are not available on your current plan. Upgrade the plan to access them.',
        { status: 403 },
      ),
    },
  },
  'drpc-free': {
    wantsUserAgent: true,
    logsBlocks: {
      most: 10_000,
      providerError: () =>
        providerError(35, 'ranges over 10000 blocks are not supported on freetier', { status: 400 }),
    },
    batch: {
      most: 3,
      providerError: () => ({
        status: 500,
        body: [{ message: 'Batch of more than 3 requests are not allowed on free tier', code: 31 }],
      }),
    },
  },
  publicnode: {
    logsBlocks: {
      most: 50_000,
      providerError: () => providerError(-32701, 'exceed maximum block range: 50000'),
    },
    depth: {
      blocks: 128,
      providerError: providerError(-32602, 'Archive requests require a personal token', {
        status: 403,
        form: 'error-only',
      }),
    },
    refuses: ({ method, params }) =>
      method === 'eth_getLogs' && (params[0] as { address?: unknown } | undefined)?.address == null
        ? providerError(
            -32701,
            'Please specify an address in your request or, to remove restrictions, order a dedicated full node',
          )
        : null,
  },
  ankr: {
    logsBlocks: { most: 3000, providerError: () => providerError(-32062, 'block range is too wide') },
  },
  '1rpc': {
    logsBlocks: {
      most: 10_000,
      providerError: () => providerError(-32602, 'eth_getLogs is limited to 0 - 10000 blocks range'),
    },
  },
  thirdweb: {
    logsBlocks: {
      most: 1000,
      providerError: () => providerError(-32005, 'Maximum allowed number of requested blocks is 1000'),
    },
  },
  coinbase: {
    logsBlocks: {
      most: 1000,
      providerError: () => providerError(-32600, 'please limit the query to at most 1000 blocks'),
    },
  },
  cloudflare: {
    logsBlocks: {
      most: 800,
      providerError: (from, to) =>
        providerError(
          -32047,
          `Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800; blocks distance: ${to - from}`,
        ),
    },
    depth: { blocks: 128, providerError: providerError(-32046, 'Cannot fulfill request') },
  },
  'arb1-public': {
    logs: {
      most: 10_000,
      providerError: () => providerError(-32000, 'logs matched by query exceeds limit of 10000'),
    },
  },
} as const satisfies Readonly<Record<string, Provider>>

/** Built-in limits of clients. */
export const ownLimits = {
  geth: {
    batch: {
      most: 1000,
      // An array with one element that has the first id (rpc/handler.go).
      providerError: (calls) => ({
        status: 200,
        body: [
          { jsonrpc: '2.0', id: calls[0]?.id ?? null, error: { code: -32600, message: 'batch too large' } },
        ],
      }),
    },
  },
  erigon: {
    logsBlocks: {
      most: 1000,
      providerError: () =>
        providerError(-32602, 'query block range exceeds server limit, narrow your filter: 1000'),
    },
    logs: {
      most: 20_000,
      providerError: () => providerError(-32000, 'query returns too many logs, narrow your filter: 20000'),
    },
    batch: { most: 100, providerError: () => oneObject(-32000, 'batch limit 100 exceeded (requested: 101)') },
  },
  nethermind: {
    logs: {
      most: 20_000,
      providerError: () => providerError(-32005, 'Too many logs requested. Max logs per response is 20000.'),
    },
    batch: { most: 1024, providerError: () => oneObject(-32005, 'Batch size limit exceeded') },
  },
  besu: {
    logsBlocks: {
      most: 5000,
      providerError: () => providerError(-32005, 'Requested range exceeds maximum RPC range limit'),
    },
    batch: {
      most: 1024,
      providerError: () => oneObject(-32005, 'Number of requests in batch exceeds max batch size'),
    },
  },
  reth: {
    logsBlocks: {
      most: 100_000,
      providerError: () => providerError(-32602, 'query exceeds max block range 100000'),
    },
    logs: {
      most: 20_000,
      providerError: (from, to) =>
        providerError(
          -32602,
          `query exceeds max results 20000, retry with the range ${from}-${from + ((to - from) >> 1)}`,
        ),
    },
  },
} as const satisfies Readonly<Record<string, Provider>>
