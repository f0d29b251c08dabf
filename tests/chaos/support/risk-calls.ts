import { saysTheSame } from '../../support/same-answer.ts'
import { hashOf, hex, logAt, receiptAt } from '../../support/scripted-chain.ts'
import type { Side } from './risk-oracle.ts'
import { sampleOf } from './samples.ts'
import { says, tells, type Written } from './script.ts'

/** A contract and a method that every chain of the table protects. */
const guarded = `0x${'9a'.repeat(20)}`
export const protect = { contracts: [guarded], methods: ['eth_getStorageAt'] }

const word = { truth: `0x${'1'.padStart(64, '0')}`, lie: `0x${'bad'.padStart(64, '0')}` } as const
const status = { truth: '0x1', lie: '0x0' } as const

/** What the honest, or those with one coordinated lie, say to each method. */
export const repliesOf = (side: Side): NonNullable<Written['on']> => ({
  eth_call: says(word[side]),
  eth_getStorageAt: says(word[side]),
  eth_getBalance: says(hex(Number(word[side]))),
  eth_getLogs: tells(({ params }) => {
    const { address, fromBlock } = params[0] as { readonly address: string; readonly fromBlock: string }
    return [logAt(fromBlock === 'latest' ? 1000 : Number(fromBlock), 0, { address, data: word[side] })]
  }),
  eth_getTransactionReceipt: tells(({ params }) =>
    receiptAt(1000, { transactionHash: params[0], status: status[side] }),
  ),
})

/** Which side a result is of; null where there is none. */
export function sideOf(
  { method, params }: Pick<RiskCall, 'method' | 'params'>,
  result: unknown,
): Side | 'neither' | null {
  if (result === undefined) return null
  const says = (side: Side) => repliesOf(side)[method]?.({ id: 1, method, params }).result
  return (['truth', 'lie'] as const).find((side) => saysTheSame(result, says(side))) ?? 'neither'
}

export interface RiskCall {
  readonly caller: string
  readonly policy: 'everyday' | 'protected'
  readonly method: string
  readonly params: readonly unknown[]
  readonly headers: Readonly<Record<string, string>>
}

const methods = ['eth_call', 'eth_getBalance', 'eth_getLogs', 'eth_getTransactionReceipt']
const callers = {
  everyday: {},
  'x-quorate-protect': { 'x-quorate-protect': '1' },
  'x-quorate-majority': { 'x-quorate-majority': '1' },
}

/** Calls of every caller, with params that nobody has used. */
export function callsOf(policy: RiskCall['policy']): readonly RiskCall[] {
  const named = Object.entries(callers).flatMap(([caller, headers]) =>
    methods.map((method) => ({
      caller,
      policy: caller === 'everyday' ? ('everyday' as const) : ('protected' as const),
      method,
      params: sampleOf(method),
      headers,
    })),
  )
  return [...named, ...configured()].filter((call) => call.policy === policy)
}

/** Calls that the configuration protects, without a header. */
function configured(): readonly RiskCall[] {
  const [{ to: nonce }] = sampleOf('eth_call') as [{ to: string }]
  const shared = { policy: 'protected' as const, headers: {} }
  // One of two topics, so that no two filters are the same.
  const topics = [[...logAt(1000, 0).topics, `0x${nonce.slice(2).padStart(64, '0')}`]]
  return [
    { ...shared, caller: 'protect.methods', method: 'eth_getStorageAt', params: [nonce, '0x0', 'latest'] },
    {
      ...shared,
      caller: 'protect.contracts',
      method: 'eth_call',
      params: [{ to: guarded, data: nonce }, 'latest'],
    },
    {
      ...shared,
      caller: 'protect.contracts',
      method: 'eth_getLogs',
      params: [{ address: guarded, topics, fromBlock: 'latest', toBlock: 'latest' }],
    },
  ]
}

/** A call for the logs of one block. */
export function logsAt(block: string): RiskCall {
  const [filter] = sampleOf('eth_getLogs') as [object]
  const params = [{ ...filter, fromBlock: block, toBlock: block }]
  return { caller: 'everyday', policy: 'everyday', method: 'eth_getLogs', params, headers: {} }
}

/** Calls whose result is about the head, or read at it. */
export const headCalls = (): readonly Pick<RiskCall, 'method' | 'params'>[] => [
  { method: 'eth_blockNumber', params: [] },
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  { method: 'eth_call', params: sampleOf('eth_call') },
]

/** Whether a result is of the chain of the poisoned. */
export function isInvented(call: Pick<RiskCall, 'method' | 'params'>, result: unknown): boolean {
  if (call.method === 'eth_blockNumber') return Number(result) > 1000
  if (call.method === 'eth_call') return sideOf(call, result) === 'lie'
  const { number, hash } = (result ?? { number: '0x0', hash: hashOf(0) }) as { number: string; hash: string }
  return hash !== hashOf(Number(number))
}
