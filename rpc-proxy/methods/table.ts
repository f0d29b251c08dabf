import { simulationErrors } from '../wire/rejections.ts'
import * as about from './about.ts'
import * as fits from './agreed-blocks.ts'
import { feeBlock, nonceBlock, numberedBlock, receiptsBlock, stateBlock } from './block-ref.ts'
import { callObject, executionsOfCall, fitCall, fitCallWithGas } from './call-object.ts'
import { baseFee, blobBaseFee, gasPrice, priorityFee } from './fees.ts'
import { always, chainId, networkId, peerCount, sha3, version } from './local.ts'
import { isOneBlock, type LogFilter, logFilter, subscribed } from './log-filter.ts'
import { cautious, type MethodRow, type MethodSpec, type Resource, rows } from './method-spec.ts'
import { blockOverrides, stateOverrides } from './overrides.ts'
import { address, data, flag, hash, params, rawTransaction, slot, uint64 } from './params.ts'
import * as proves from './proves.ts'
import { executionsOfSimulation, fitSimulation, simulation } from './simulation.ts'
import { blockCount, filterId, percentiles, proofKeys, slotsByAccount, waitMs } from './terms.ts'

const nothing = params()
const isFixed = () => true
/** Of methods whose first param is a call object. */
const call = { fit: fitCall, executionsOf: executionsOfCall } as const
const execution = params(callObject, stateBlock, stateOverrides.optional(), blockOverrides.optional())
/** Of methods that read an account. */
const ofAccount = { isFixed, parse: params(address, stateBlock), pin: 1 } as const
/** Of methods that read a block, or what is at an index of it. */
const ofNumber = { isFixed, parse: params(numberedBlock), pin: 0, ofBlock: true } as const
const ofHash = { parse: params(hash), pin: 0 } as const
const atNumber = { parse: params(numberedBlock, uint64), pin: 0 } as const
const atHash = { parse: params(hash, uint64), pin: 0 } as const

const repliedHere: readonly MethodRow[] = [
  { method: 'eth_chainId', ownReply: chainId, parse: nothing, shape: 'quantity' },
  { method: 'net_version', ownReply: networkId, parse: nothing },
  { method: 'eth_accounts', ownReply: always('[]'), parse: nothing },
  { method: 'net_listening', ownReply: always('true'), parse: nothing },
  { method: 'net_peerCount', ownReply: peerCount, parse: nothing, shape: 'quantity' },
  { method: 'web3_sha3', ownReply: sha3, parse: params(data), shape: 'data', cost: 1 },
  { method: 'web3_clientVersion', ownReply: version, parse: nothing },
  { method: 'eth_syncing', ownReply: always('false'), parse: nothing },
]

const state: readonly MethodRow[] = [
  { ...ofAccount, method: 'eth_getBalance', shape: 'quantity', ejects: true, proves: proves.balance },
  { ...ofAccount, method: 'eth_getCode', shape: 'data', proves: proves.code },
  {
    method: 'eth_getStorageAt',
    isFixed,
    parse: params(address, slot, stateBlock),
    pin: 2,
    shape: 'data',
    proves: proves.storage,
  },
  {
    method: 'eth_getStorageValues',
    isAbout: about.storageValues,
    parse: params(slotsByAccount, stateBlock),
    pin: 1,
    shape: 'storage',
    cost: 5,
    proves: proves.storageValues,
  },
  {
    ...ofAccount,
    method: 'eth_getTransactionCount',
    parse: params(address, nonceBlock),
    shape: 'quantity',
    proves: proves.nonce,
  },
  {
    ...call,
    method: 'eth_call',
    fit: fitCallWithGas,
    parse: execution,
    pin: 1,
    shape: 'call',
    cost: 2,
  },
  {
    method: 'eth_simulateV1',
    parse: params(simulation, stateBlock),
    pin: 1,
    shape: 'simulation',
    cost: 20,
    isAbout: about.simulation,
    fit: fitSimulation,
    executionsOf: executionsOfSimulation,
    rejectionCodes: new Map([...simulationErrors].map(([code, rejection]) => [rejection, code])),
  },
  {
    method: 'eth_getProof',
    isAbout: about.proof,
    parse: params(address, proofKeys, stateBlock),
    pin: 2,
    shape: 'proof',
    cost: 5,
    proves: proves.proof,
    resource: 'stateproofs',
  },
  {
    ...call,
    method: 'eth_createAccessList',
    parse: params(callObject, stateBlock, stateOverrides.optional()),
    pin: 1,
    shape: 'access-list',
    cost: 5,
  },
  {
    method: 'eth_feeHistory',
    isAbout: about.feeHistory,
    resource: 'blocks',
    parse: params(blockCount, feeBlock, percentiles),
    pin: 1,
    shape: 'fee-history',
    cost: 3,
  },
]

/** Objects of the chain, where null means "I do not have it". */
const objects: readonly MethodRow[] = [
  {
    ...ofNumber,
    method: 'eth_getBlockByNumber',
    isAbout: about.blockByNumber,
    fitsBlocks: fits.block,
    isFixed: ([, isFull]) => isFull !== true,
    parse: params(numberedBlock, flag),
    shape: 'block',
    ejects: true,
    cost: 2,
  },
  {
    method: 'eth_getBlockByHash',
    isAbout: about.blockByHash,
    fitsBlocks: fits.block,
    parse: params(hash, flag),
    pin: 0,
    shape: 'block',
    ejects: true,
    cost: 2,
  },
  { ...ofNumber, method: 'eth_getBlockTransactionCountByNumber', fitsBlocks: fits.count, shape: 'quantity' },
  { ...ofHash, method: 'eth_getBlockTransactionCountByHash', fitsBlocks: fits.count, shape: 'quantity' },
  {
    method: 'eth_getBlockReceipts',
    resource: 'receipts',
    isAbout: about.blockReceipts,
    fitsBlocks: fits.receipts,
    parse: params(receiptsBlock),
    pin: 0,
    shape: 'receipts',
    ofBlock: true,
    cost: 5,
  },
  {
    ...atNumber,
    method: 'eth_getTransactionByBlockNumberAndIndex',
    resource: 'tx',
    isAbout: about.transactionAtNumber,
    fitsBlocks: fits.inclusion,
    shape: 'transaction',
  },
  {
    ...atHash,
    method: 'eth_getTransactionByBlockHashAndIndex',
    resource: 'tx',
    isAbout: about.transactionInBlock,
    fitsBlocks: fits.inclusion,
    shape: 'transaction',
  },
  {
    method: 'eth_getTransactionByHash',
    resource: 'tx',
    isAbout: about.transaction,
    fitsBlocks: fits.inclusion,
    parse: params(hash),
    shape: 'transaction',
    cachePolicy: 'inclusion',
  },
  {
    method: 'eth_getTransactionReceipt',
    resource: 'receipts',
    isAbout: about.receipt,
    fitsBlocks: fits.inclusion,
    parse: params(hash),
    shape: 'receipt',
    cachePolicy: 'inclusion',
  },
  { ...ofNumber, method: 'eth_getUncleCountByBlockNumber', shape: 'quantity' },
  { ...ofHash, method: 'eth_getUncleCountByBlockHash', shape: 'quantity' },
  { ...atNumber, method: 'eth_getUncleByBlockNumberAndIndex', shape: 'uncle' },
  { ...atHash, method: 'eth_getUncleByBlockHashAndIndex', shape: 'uncle' },
]

const fees: readonly MethodRow[] = [
  { method: 'eth_gasPrice', fee: gasPrice, parse: nothing },
  { method: 'eth_maxPriorityFeePerGas', fee: priorityFee, parse: nothing },
  { method: 'eth_blobBaseFee', fee: blobBaseFee, parse: nothing },
  { method: 'eth_baseFee', fee: baseFee, parse: nothing },
  { ...call, method: 'eth_estimateGas', parse: execution, strategy: 'estimate', pin: 1, cost: 5 },
]

const filters: readonly MethodRow[] = [
  { method: 'eth_newFilter', parse: params(logFilter), cost: 2 },
  { method: 'eth_newBlockFilter', parse: nothing },
  { method: 'eth_newPendingTransactionFilter', parse: nothing },
  { method: 'eth_getFilterChanges', parse: params(filterId), shape: 'logs', cost: 2 },
  { method: 'eth_getFilterLogs', parse: params(filterId), shape: 'logs', cost: 10 },
  { method: 'eth_uninstallFilter', parse: params(filterId) },
]

const subscriptions: readonly MethodRow[] = [
  { method: 'eth_subscribe', parse: subscribed, cost: 2 },
  { method: 'eth_unsubscribe', parse: params(filterId) },
]

const specs: readonly MethodSpec[] = [
  ...repliedHere.map(rows({ strategy: 'local', cost: 0.1 })),
  rows({ strategy: 'head', shape: 'quantity', cost: 0.1 })({ method: 'eth_blockNumber', parse: nothing }),
  ...state.map(rows({ strategy: 'equality', cachePolicy: 'block', resource: 'state' })),
  ...objects.map(rows({ strategy: 'lookup', cachePolicy: 'block', resource: 'blocks' })),
  rows({ strategy: 'logs', cachePolicy: 'block', pin: 'range', shape: 'logs', cost: 10 })({
    method: 'eth_getLogs',
    resource: 'logs',
    isAbout: about.logs,
    proves: proves.noLogs,
    fitsBlocks: fits.logs,
    parse: params(logFilter),
    costOf: ([filter]) => (isOneBlock(filter as LogFilter) ? 2 : 10),
  }),
  ...fees.map(rows({ strategy: 'derived', cachePolicy: 'block', shape: 'quantity', cost: 3 })),
  rows({ strategy: 'broadcast', shape: 'data', cost: 10 })({
    method: 'eth_sendRawTransaction',
    parse: params(rawTransaction),
  }),
  rows({ strategy: 'broadcast', shape: 'receipt', cost: 20 })({
    method: 'eth_sendRawTransactionSync',
    parse: params(rawTransaction, waitMs),
  }),
  rows({ strategy: 'search', shape: 'transaction', cost: 30 })({
    method: 'eth_getTransactionBySenderAndNonce',
    parse: params(address, uint64),
  }),
  rows({ strategy: 'capabilities', cost: 5 })({ method: 'eth_capabilities', parse: nothing }),
  ...filters.map(rows({ strategy: 'filter' })),
  ...subscriptions.map(rows({ strategy: 'subscription' })),
]

const byMethod: ReadonlyMap<string, MethodSpec> = new Map(specs.map((spec) => [spec.method, spec]))

/** Methods by what they read of the past, in the order of `eth_capabilities`. */
export const methodsByResource: ReadonlyMap<Resource, readonly string[]> = new Map(
  (['state', 'tx', 'logs', 'receipts', 'blocks', 'stateproofs'] as const).map((resource) => [
    resource,
    specs.flatMap((spec) => (spec.resource === resource ? [spec.method] : [])),
  ]),
)

/** What is known of a method, by its exact name; `cautious` for every other. */
export function methodSpec(method: string): MethodSpec {
  return byMethod.get(method) ?? cautious
}

/** The method's name where it is one of ours, else `_OTHER`: fit for metrics, whatever the caller wrote. */
export function methodLabel(method: string): string {
  return methodSpec(method).method
}

/** Names of all methods that are not refused. */
export const methods: readonly string[] = [...byMethod.keys()]

const pendingCount: MethodSpec = {
  ...methodSpec('eth_getTransactionCount'),
  strategy: 'highest',
  pin: 'none',
  cachePolicy: 'never',
  cost: 3,
  proves: null,
}

/** The same for these canonical params: a pending nonce is counted in another way than one at a block. */
export function specFor(spec: MethodSpec, params: readonly unknown[]): MethodSpec {
  return spec.method === pendingCount.method && params[1] === 'pending' ? pendingCount : spec
}
