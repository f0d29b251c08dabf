import { feeBlock, nonceBlock, numberedBlock, receiptsBlock, stateBlock } from './block-ref.ts'
import { callObject } from './call-object.ts'
import { isOneBlock, type LogFilter, logFilter } from './log-filter.ts'
import { blockOverrides, stateOverrides } from './overrides.ts'
import { address, data, flag, hash, params, rawTransaction, slot, uint64 } from './params.ts'
import type { Rule } from './rule.ts'
import { simulation } from './simulation.ts'
import { blockCount, filterId, percentiles, proofKeys, slotsByAccount } from './terms.ts'

/** A method nobody has described: no node is asked, nothing is kept. */
export const cautious: Rule = {
  method: '_OTHER',
  agreement: 'refused',
  parse: (given) => given,
  pin: 'none',
  shape: 'json',
  keep: 'never',
  nullable: false,
  ofBlock: false,
  benches: false,
  cost: 1,
}

/** Rows of one family say only what they do not share. */
type Row = Pick<Rule, 'method' | 'parse'> & Partial<Rule>

const nothing = params()

const answeredHere: readonly Row[] = [
  { method: 'eth_chainId', parse: nothing, shape: 'quantity' },
  { method: 'net_version', parse: nothing },
  { method: 'eth_accounts', parse: nothing },
  { method: 'net_listening', parse: nothing },
  { method: 'net_peerCount', parse: nothing, shape: 'quantity' },
  { method: 'web3_sha3', parse: params(data), shape: 'data', cost: 1 },
  { method: 'web3_clientVersion', parse: nothing },
  { method: 'eth_syncing', parse: nothing },
]

const state: readonly Row[] = [
  { method: 'eth_getBalance', parse: params(address, stateBlock), pin: 1, shape: 'quantity', benches: true },
  { method: 'eth_getCode', parse: params(address, stateBlock), pin: 1, shape: 'data' },
  { method: 'eth_getStorageAt', parse: params(address, slot, stateBlock), pin: 2, shape: 'data' },
  {
    method: 'eth_getStorageValues',
    parse: params(slotsByAccount, stateBlock),
    pin: 1,
    shape: 'storage',
    cost: 5,
  },
  { method: 'eth_getTransactionCount', parse: params(address, nonceBlock), pin: 1, shape: 'quantity' },
  {
    method: 'eth_call',
    parse: params(callObject, stateBlock, stateOverrides.optional(), blockOverrides.optional()),
    pin: 1,
    shape: 'call',
    cost: 2,
  },
  { method: 'eth_simulateV1', parse: params(simulation, stateBlock), pin: 1, shape: 'simulation', cost: 20 },
  { method: 'eth_getProof', parse: params(address, proofKeys, stateBlock), pin: 2, shape: 'proof', cost: 5 },
  {
    method: 'eth_createAccessList',
    parse: params(callObject, stateBlock, stateOverrides.optional()),
    pin: 1,
    shape: 'access-list',
    cost: 5,
  },
  {
    method: 'eth_feeHistory',
    parse: params(blockCount, feeBlock, percentiles),
    pin: 1,
    shape: 'fee-history',
    cost: 3,
  },
]

/** Objects of the chain, where null means "I do not have it". */
const objects: readonly Row[] = [
  {
    method: 'eth_getBlockByNumber',
    parse: params(numberedBlock, flag),
    pin: 0,
    shape: 'block',
    ofBlock: true,
    benches: true,
    cost: 2,
  },
  { method: 'eth_getBlockByHash', parse: params(hash, flag), pin: 0, shape: 'block', benches: true, cost: 2 },
  {
    method: 'eth_getBlockTransactionCountByNumber',
    parse: params(numberedBlock),
    pin: 0,
    shape: 'quantity',
    ofBlock: true,
  },
  { method: 'eth_getBlockTransactionCountByHash', parse: params(hash), pin: 0, shape: 'quantity' },
  {
    method: 'eth_getBlockReceipts',
    parse: params(receiptsBlock),
    pin: 0,
    shape: 'receipts',
    ofBlock: true,
    cost: 5,
  },
  {
    method: 'eth_getTransactionByBlockNumberAndIndex',
    parse: params(numberedBlock, uint64),
    pin: 0,
    shape: 'transaction',
  },
  {
    method: 'eth_getTransactionByBlockHashAndIndex',
    parse: params(hash, uint64),
    pin: 0,
    shape: 'transaction',
  },
  { method: 'eth_getTransactionByHash', parse: params(hash), shape: 'transaction', keep: 'inclusion' },
  { method: 'eth_getTransactionReceipt', parse: params(hash), shape: 'receipt', keep: 'inclusion' },
  {
    method: 'eth_getUncleCountByBlockNumber',
    parse: params(numberedBlock),
    pin: 0,
    shape: 'quantity',
    ofBlock: true,
  },
  { method: 'eth_getUncleCountByBlockHash', parse: params(hash), pin: 0, shape: 'quantity' },
  {
    method: 'eth_getUncleByBlockNumberAndIndex',
    parse: params(numberedBlock, uint64),
    pin: 0,
    shape: 'uncle',
  },
  { method: 'eth_getUncleByBlockHashAndIndex', parse: params(hash, uint64), pin: 0, shape: 'uncle' },
]

const execution = params(callObject, stateBlock, stateOverrides.optional(), blockOverrides.optional())

const fees: readonly Row[] = [
  { method: 'eth_gasPrice', parse: nothing },
  { method: 'eth_maxPriorityFeePerGas', parse: nothing },
  { method: 'eth_blobBaseFee', parse: nothing },
  { method: 'eth_baseFee', parse: nothing },
  { method: 'eth_estimateGas', parse: execution, agreement: 'estimate', pin: 1, cost: 5 },
]

const filters: readonly Row[] = [
  { method: 'eth_newFilter', parse: params(logFilter), cost: 2 },
  { method: 'eth_newBlockFilter', parse: nothing },
  { method: 'eth_newPendingTransactionFilter', parse: nothing },
  { method: 'eth_getFilterChanges', parse: params(filterId), shape: 'logs', cost: 2 },
  { method: 'eth_getFilterLogs', parse: params(filterId), shape: 'logs', cost: 10 },
  { method: 'eth_uninstallFilter', parse: params(filterId) },
]

const rules: readonly Rule[] = [
  ...answeredHere.map(rows({ agreement: 'here', cost: 0.1 })),
  rows({ agreement: 'head', shape: 'quantity', cost: 0.1 })({ method: 'eth_blockNumber', parse: nothing }),
  ...state.map(rows({ agreement: 'equality', keep: 'block' })),
  ...objects.map(rows({ agreement: 'equality', keep: 'block', nullable: true })),
  rows({ agreement: 'equality', keep: 'block', pin: 'range', shape: 'logs', cost: 10 })({
    method: 'eth_getLogs',
    parse: params(logFilter),
    costOf: ([filter]) => (isOneBlock(filter as LogFilter) ? 2 : 10),
  }),
  ...fees.map(rows({ agreement: 'derived', keep: 'block', shape: 'quantity', cost: 3 })),
  rows({ agreement: 'broadcast', shape: 'data', cost: 10 })({
    method: 'eth_sendRawTransaction',
    parse: params(rawTransaction),
  }),
  ...filters.map(rows({ agreement: 'filter' })),
]

const byMethod: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.method, rule]))

/** The rule of a method, by its exact name; `cautious` for every other. */
export function ruleOf(method: string): Rule {
  return byMethod.get(method) ?? cautious
}

/** The method's name where it is one of ours, else `_OTHER`: fit for metrics, whatever the caller wrote. */
export function methodLabel(method: string): string {
  return ruleOf(method).method
}

/** Names of all methods that are not refused. */
export const methods: readonly string[] = [...byMethod.keys()]

const pendingCount: Rule = {
  ...ruleOf('eth_getTransactionCount'),
  agreement: 'highest',
  pin: 'none',
  keep: 'never',
  cost: 3,
}

/** The rule that holds for these canonical params: a pending nonce is counted in another way than one at a block. */
export function ruleFor(rule: Rule, params: readonly unknown[]): Rule {
  return rule.method === pendingCount.method && params[1] === 'pending' ? pendingCount : rule
}

function rows(shared: Partial<Rule>): (row: Row) => Rule {
  return (row) => ({ ...cautious, ...shared, ...row })
}
