import { orders, sorted } from './order.ts'

export type Json = Readonly<Record<string, unknown>>
export type Rewrite = (object: Json) => Json

/** Types in the results of JSON-RPC methods. */
export interface ReplyFormat {
  readonly block: Rewrite
  readonly transaction: Rewrite
  readonly receipt: Rewrite
  readonly log: Rewrite
  readonly proof: (object: Json, keys: readonly unknown[]) => Json
  readonly feeHistory: Rewrite
  readonly accessList: Rewrite
  readonly simulatedCall: Rewrite
}

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

function without(object: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

const withoutNulls: Rewrite = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))

const isZero = (value: unknown) => typeof value === 'string' && /^0x0*$/.test(value)
const zeros = `0x${'0'.repeat(64)}`
const noCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const noStorage = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

const padded = (value: unknown) => `0x${`${value}`.slice(2).padStart(64, '0')}`
const trimmed = (value: unknown) => `0x${`${value}`.slice(2).replace(/^0+(?=.)/, '')}`

const zeroHashes = { codeHash: zeros, storageHash: zeros }
const emptyHashes = { codeHash: noCode, storageHash: noStorage }

/** Proofs whose slots are written so; an account that does not exist (EIP-161) has these hashes. */
function proofWith(
  hashes: typeof emptyHashes,
  rewrite: (slot: Json, key: unknown) => Json,
): ReplyFormat['proof'] {
  return (proof, keys) => {
    const isAbsent =
      isZero(proof.balance) && isZero(proof.nonce) && [zeros, noCode].includes(`${proof.codeHash}`)
    const slots = (proof.storageProof as readonly Json[]).map((slot, index) => rewrite(slot, keys[index]))
    return { ...proof, ...(isAbsent && hashes), storageProof: slots }
  }
}
/** Keys are returned as sent. */
const withSentKey = (slot: Json, key: unknown) => ({ ...slot, key: key ?? slot.key })

const rewardOf = (history: Json): readonly (readonly string[])[] =>
  Array.isArray(history.reward) ? (history.reward as readonly (readonly string[])[]) : []
const hasRewards = (history: Json) => rewardOf(history).some((row) => row.length > 0)

const isBlob = ({ type }: Json) => type === '0x3'

/** Only receipts of blob transactions have a blob price. */
const gethReceipt: Rewrite = (receipt) => {
  const own = without(receipt, 'blockTimestamp')
  return sorted(isBlob(receipt) ? own : without(own, 'blobGasUsed', 'blobGasPrice'))
}

const feeHistoryInOrder: Rewrite = (history) =>
  orders.feeHistory(hasRewards(history) ? history : without(history, 'reward'))
const unchanged: Rewrite = (object) => object

const geth: ReplyFormat = {
  // No total difficulty since 1.15.
  block: (block) => sorted(without(block, 'totalDifficulty')),
  transaction: orders.gethTransaction,
  receipt: gethReceipt,
  log: orders.gethLog,
  proof: proofWith(zeroHashes, withSentKey),
  feeHistory: feeHistoryInOrder,
  accessList: unchanged,
  simulatedCall: orders.simulatedCall,
}

const isZeroSender = ({ from }: Json) => typeof from === 'string' && isZero(from)

/** State syncs from Ethereum are the only system transactions of this chain, of type 0x7f since PIP-74. */
const borTransaction: Rewrite = (transaction) =>
  geth.transaction({
    ...without(transaction, 'blockTimestamp'),
    ...(isZeroSender(transaction) ? { type: '0x7f', chainId: null } : {}),
  })

/** A chain without blobs has no blob price. */
const withoutBlobs: Rewrite = (history) => {
  const { baseFeePerBlobGas: prices, blobGasUsedRatio: shares } = history
  const isIdle = Array.isArray(prices) && Array.isArray(shares) && shares.every((share) => share === 0)
  return geth.feeHistory(isIdle ? { ...history, baseFeePerBlobGas: prices.map(() => '0x0') } : history)
}

const withoutWithdrawals: Rewrite = (block) =>
  Array.isArray(block.withdrawals) && block.withdrawals.length === 0 ? without(block, 'withdrawals') : block

const bor: ReplyFormat = {
  ...geth,
  block: (block) =>
    sorted({ ...withoutWithdrawals(block), totalDifficulty: block.totalDifficulty ?? block.difficulty }),
  transaction: borTransaction,
  feeHistory: withoutBlobs,
  log: (log) => geth.log(without(log, 'blockTimestamp')),
}

const erigon: ReplyFormat = {
  ...bor,
  block: (block) => sorted({ ...block, totalDifficulty: block.totalDifficulty ?? '0x0' }),
  transaction: (transaction) =>
    geth.transaction({
      ...without(transaction, 'blockTimestamp'),
      ...(isZeroSender(transaction) ? { type: '0x0', chainId: null } : {}),
    }),
  // It computes price and cumulative gas of a state sync like those of other transactions.
  receipt: (receipt) =>
    sorted({
      ...without(receipt, 'blockTimestamp'),
      ...(isZeroSender(receipt) ? { cumulativeGasUsed: '0x20fffe5', effectiveGasPrice: '0xbd01025' } : {}),
    }),
  feeHistory: geth.feeHistory,
  // Halts and reverts have the same code.
  simulatedCall: (call) =>
    orders.simulatedCall(isObject(call.error) ? { ...call, error: { ...call.error, code: -32000 } } : call),
}

const nitro: ReplyFormat = {
  ...geth,
  feeHistory: withoutBlobs,
  block: (block) =>
    sorted({
      ...geth.block(block),
      l1BlockNumber: block.l1BlockNumber ?? '0x15a6c4f',
      sendCount: '0x2',
      sendRoot: noStorage,
    }),
  receipt: (receipt) =>
    sorted({
      ...gethReceipt(receipt),
      gasUsedForL1: '0x0',
      l1BlockNumber: receipt.l1BlockNumber ?? '0x15a6c4f',
      timeboosted: false,
      multiGasUsed: { total: receipt.gasUsed },
    }),
}

const nethermind: ReplyFormat = {
  block: (block) =>
    orders.nethermindBlock({
      author: block.miner,
      ...block,
      totalDifficulty: block.totalDifficulty ?? '0x0',
    }),
  transaction: orders.nethermindTransaction,
  receipt: (receipt) => orders.nethermindReceipt(gethReceipt(receipt)),
  log: (log) => orders.nethermindLog({ ...without(log, 'blockTimestamp'), transactionLogIndex: '0x0' }),
  proof: proofWith(zeroHashes, ({ key, proof, value }) => ({
    key: trimmed(key),
    proof,
    value: padded(value),
  })),
  feeHistory: (history) => ({
    ...orders.feeHistory(history),
    gasUsedRatio: (history.gasUsedRatio as readonly number[]).map((ratio) => Number(ratio.toFixed(10))),
    reward: hasRewards(history) ? history.reward : null,
  }),
  // The cost of the list plus the gas of a run without it (EIP-2930).
  accessList: (result) => {
    const list = result.accessList as readonly { readonly storageKeys: readonly unknown[] }[]
    const cost = list.reduce((sum, { storageKeys }) => sum + 2400 + 1900 * storageKeys.length, 0)
    return { ...result, gasUsed: `0x${(Number(result.gasUsed) + cost).toString(16)}` }
  },
  simulatedCall: (call) => ({ error: null, ...call }),
}

const besu: ReplyFormat = {
  block: (block) =>
    orders.besuBlock(withoutNulls({ ...block, totalDifficulty: block.totalDifficulty ?? '0x0' })),
  transaction: (transaction) => orders.besuTransaction(withoutNulls(without(transaction, 'blockTimestamp'))),
  receipt: (receipt) =>
    orders.besuReceipt({
      ...gethReceipt(receipt),
      ...(receipt.status === '0x0' ? { revertReason: '0x' } : {}),
    }),
  log: orders.besuLog,
  proof: proofWith(emptyHashes, (slot) => ({ ...slot, key: trimmed(slot.key) })),
  feeHistory: feeHistoryInOrder,
  accessList: unchanged,
  simulatedCall: orders.simulatedCall,
}

const reth: ReplyFormat = {
  block: orders.rethBlock,
  transaction: orders.rethTransaction,
  receipt: (receipt) => {
    const own = without(receipt, 'blockTimestamp')
    return orders.rethReceipt(isBlob(receipt) ? own : without(own, 'blobGasUsed'))
  },
  log: orders.rethLog,
  proof: proofWith(emptyHashes, withSentKey),
  feeHistory: (history) => orders.rethFeeHistory(hasRewards(history) ? history : { ...history, reward: [] }),
  accessList: unchanged,
  // Revert data is in the place of the call output.
  simulatedCall: (call) => {
    if (!isObject(call.error)) return call
    const { data, ...error } = call.error
    return { ...call, returnData: data ?? call.returnData, error }
  },
}

export const formats = { geth, bor, erigon, nethermind, besu, reth, nitro }

/** Clients whose form of results is known. */
export type Client = keyof typeof formats
