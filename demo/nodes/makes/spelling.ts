import { orders, sorted } from './order.ts'

/** The node software whose way of writing a result is known. */
export type Make = 'geth' | 'bor' | 'erigon' | 'nethermind' | 'besu' | 'reth' | 'nitro'

type Json = Readonly<Record<string, unknown>>
type Rewrite = (object: Json) => Json

/** What the results of JSON-RPC methods are made of. */
interface Spelling {
  readonly block: Rewrite
  readonly transaction: Rewrite
  readonly receipt: Rewrite
  readonly log: Rewrite
  readonly proof: (object: Json, keys: readonly unknown[]) => Json
  readonly feeHistory: Rewrite
  readonly accessList: Rewrite
  readonly simulatedCall: Rewrite
}

/**
 * The result of a method as geth or anvil writes it -> the same result as `make` writes it: order of keys, padding, fields
 * that are absent, null or of its own. Changes no meaning, and returns the result itself for a method without a form.
 */
export function spell(make: Make, method: string, params: readonly unknown[], result: unknown): unknown {
  const spelling = spellings[make]
  if (result === null) return null
  if (method.startsWith('eth_getTransactionBy')) return spelling.transaction(result as Json)
  switch (method) {
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
    case 'eth_getUncleByBlockNumberAndIndex':
    case 'eth_getUncleByBlockHashAndIndex':
      return spelledBlock(spelling, result as Json)
    case 'eth_getTransactionReceipt':
      return spelledReceipt(spelling, result as Json)
    case 'eth_getBlockReceipts':
      return each(result, (receipt) => spelledReceipt(spelling, receipt))
    case 'eth_getLogs':
      return each(result, spelling.log)
    case 'eth_getProof':
      return spelling.proof(result as Json, Array.isArray(params[1]) ? params[1] : [])
    case 'eth_feeHistory':
      return spelling.feeHistory(result as Json)
    case 'eth_createAccessList':
      return spelling.accessList(result as Json)
    case 'eth_simulateV1':
      return each(result, (block) => {
        const made = spelledBlock(spelling, block)
        return { ...made, calls: each(made.calls, (call) => spelledCall(spelling, call)) }
      })
    default:
      return result
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

function each(list: unknown, rewrite: Rewrite): unknown {
  return Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? rewrite(item) : item)) : list
}

function spelledBlock({ block, transaction }: Spelling, object: Json): Json {
  const spelled = block(object)
  return 'transactions' in spelled
    ? { ...spelled, transactions: each(spelled.transactions, transaction) }
    : spelled
}

function spelledReceipt({ receipt, log }: Spelling, object: Json): Json {
  const spelled = receipt(object)
  return { ...spelled, logs: each(spelled.logs, log) }
}

function spelledCall({ simulatedCall, log }: Spelling, object: Json): Json {
  const spelled = simulatedCall(object)
  return { ...spelled, logs: each(spelled.logs, log) }
}

function without(object: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

const withoutNulls: Rewrite = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))

const isZero = (value: unknown) => typeof value === 'string' && /^0x0*$/.test(value)
const zeros = `0x${'0'.repeat(64)}`
const noCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const noStorage = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** An account that does not exist (EIP-161), with these hashes; every other as it is. */
function absentAccount(
  proof: Json,
  hashes: { readonly codeHash: string; readonly storageHash: string },
): Json {
  const isAbsent =
    isZero(proof.balance) && isZero(proof.nonce) && [zeros, noCode].includes(`${proof.codeHash}`)
  return isAbsent ? { ...proof, ...hashes } : proof
}

const padded = (value: unknown) => `0x${`${value}`.slice(2).padStart(64, '0')}`
const trimmed = (value: unknown) => `0x${`${value}`.slice(2).replace(/^0+(?=.)/, '')}`

function storageProof(proof: Json, rewrite: (slot: Json, index: number) => Json): Json {
  const slots = proof.storageProof as readonly Json[]
  return { ...proof, storageProof: slots.map(rewrite) }
}

const rewardOf = (history: Json): readonly (readonly string[])[] =>
  Array.isArray(history.reward) ? (history.reward as readonly (readonly string[])[]) : []
const hasRewards = (history: Json) => rewardOf(history).some((row) => row.length > 0)

const isBlob = ({ type }: Json) => type === '0x3'

/** Only a blob transaction's receipt says what its blobs cost. */
const gethReceipt: Rewrite = (receipt) => {
  const own = without(receipt, 'blockTimestamp')
  return sorted(isBlob(receipt) ? own : without(own, 'blobGasUsed', 'blobGasPrice'))
}

const geth: Spelling = {
  // No total difficulty since 1.15.
  block: (block) => sorted(without(block, 'totalDifficulty')),
  transaction: orders.gethTransaction,
  receipt: gethReceipt,
  log: orders.gethLog,
  // Keys come back as they were sent.
  proof: (proof, keys) =>
    storageProof(absentAccount(proof, { codeHash: zeros, storageHash: zeros }), (slot, index) => ({
      ...slot,
      key: keys[index] ?? slot.key,
    })),
  feeHistory: (history) => orders.feeHistory(hasRewards(history) ? history : without(history, 'reward')),
  accessList: (result) => result,
  simulatedCall: orders.simulatedCall,
}

const bor: Spelling = {
  ...geth,
  block: (block) => sorted({ ...block, totalDifficulty: block.totalDifficulty ?? block.difficulty }),
  transaction: (transaction) => geth.transaction(without(transaction, 'blockTimestamp')),
  log: (log) => geth.log(without(log, 'blockTimestamp')),
}

const erigon: Spelling = {
  ...bor,
  block: (block) => sorted({ ...block, totalDifficulty: block.totalDifficulty ?? '0x0' }),
  receipt: (receipt) => sorted(without(receipt, 'blockTimestamp')),
}

const nitro: Spelling = {
  ...geth,
  block: (block) =>
    sorted({
      ...geth.block(block),
      l1BlockNumber: '0x15a6c4f',
      sendCount: '0x2',
      sendRoot: noStorage,
    }),
  receipt: (receipt) =>
    sorted({
      ...gethReceipt(receipt),
      gasUsedForL1: '0x0',
      l1BlockNumber: '0x15a6c4f',
      timeboosted: false,
      multiGasUsed: { total: receipt.gasUsed },
    }),
}

const nethermind: Spelling = {
  block: (block) =>
    orders.nethermindBlock({
      author: block.miner,
      ...block,
      totalDifficulty: block.totalDifficulty ?? '0x0',
    }),
  transaction: orders.nethermindTransaction,
  receipt: (receipt) => orders.nethermindReceipt(gethReceipt(receipt)),
  log: (log) => orders.nethermindLog({ ...without(log, 'blockTimestamp'), transactionLogIndex: '0x0' }),
  proof: (proof) =>
    storageProof(absentAccount(proof, { codeHash: zeros, storageHash: zeros }), (slot) => ({
      key: trimmed(slot.key),
      proof: slot.proof,
      value: padded(slot.value),
    })),
  feeHistory: (history) => ({
    ...orders.feeHistory(history),
    gasUsedRatio: (history.gasUsedRatio as readonly number[]).map((ratio) => Number(ratio.toFixed(10))),
    reward: hasRewards(history) ? history.reward : null,
  }),
  accessList: (result) => result,
  simulatedCall: (call) => ({ error: null, ...call }),
}

const besu: Spelling = {
  block: (block) =>
    orders.besuBlock(withoutNulls({ ...block, totalDifficulty: block.totalDifficulty ?? '0x0' })),
  transaction: (transaction) => orders.besuTransaction(withoutNulls(without(transaction, 'blockTimestamp'))),
  receipt: (receipt) =>
    orders.besuReceipt({
      ...gethReceipt(receipt),
      ...(receipt.status === '0x0' ? { revertReason: '0x' } : {}),
    }),
  log: orders.besuLog,
  proof: (proof) =>
    storageProof(absentAccount(proof, { codeHash: noCode, storageHash: noStorage }), (slot) => ({
      ...slot,
      key: trimmed(slot.key),
    })),
  feeHistory: (history) => orders.feeHistory(hasRewards(history) ? history : without(history, 'reward')),
  accessList: (result) => result,
  simulatedCall: orders.simulatedCall,
}

const reth: Spelling = {
  block: orders.rethBlock,
  transaction: orders.rethTransaction,
  receipt: (receipt) => {
    const own = without(receipt, 'blockTimestamp')
    return orders.rethReceipt(isBlob(receipt) ? own : without(own, 'blobGasUsed'))
  },
  log: orders.rethLog,
  proof: (proof, keys) =>
    storageProof(absentAccount(proof, { codeHash: noCode, storageHash: noStorage }), (slot, index) => ({
      ...slot,
      key: keys[index] ?? slot.key,
    })),
  feeHistory: (history) => orders.rethFeeHistory(hasRewards(history) ? history : { ...history, reward: [] }),
  accessList: (result) => result,
  simulatedCall: (call) => call,
}

const spellings: Readonly<Record<Make, Spelling>> = { geth, bor, erigon, nethermind, besu, reth, nitro }

/** Every make, for those who go through all of them. */
export const makes = Object.keys(spellings) as readonly Make[]
