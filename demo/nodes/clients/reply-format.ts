import { type Client, formats, isObject, type Json, type ReplyFormat, type Rewrite } from './reply-formats.ts'

export type { Client }

export const clients = Object.keys(formats) as readonly Client[]

type Convert = (format: ReplyFormat, result: unknown, params: readonly unknown[]) => unknown

const asBlock: Convert = (format, block) => formatBlock(format, block as Json)
const asTransaction: Convert = ({ transaction }, found) => transaction(found as Json)

const converters = new Map<string, Convert>([
  ['eth_getBlockByNumber', asBlock],
  ['eth_getBlockByHash', asBlock],
  ['eth_getUncleByBlockNumberAndIndex', asBlock],
  ['eth_getUncleByBlockHashAndIndex', asBlock],
  ['eth_getTransactionByHash', asTransaction],
  ['eth_getTransactionByBlockHashAndIndex', asTransaction],
  ['eth_getTransactionByBlockNumberAndIndex', asTransaction],
  ['eth_getTransactionReceipt', (format, receipt) => formatReceipt(format, receipt as Json)],
  ['eth_getBlockReceipts', (format, all) => each(all, (receipt) => formatReceipt(format, receipt))],
  ['eth_getLogs', ({ log }, logs) => each(logs, log)],
  ['eth_getProof', (format, proof, [, keys]) => format.proof(proof as Json, Array.isArray(keys) ? keys : [])],
  ['eth_feeHistory', (format, history) => format.feeHistory(history as Json)],
  ['eth_createAccessList', (format, list) => format.accessList(list as Json)],
  ['eth_simulateV1', (format, blocks) => each(blocks, (block) => formatSimulated(format, block))],
])

/**
 * Converts a result from the form of geth or anvil to the form of another client: order of keys, padding, and absent, null
 * or extra fields. The meaning stays the same. Methods without a specific form return the result itself.
 */
export function formatReply(
  client: Client,
  method: string,
  params: readonly unknown[],
  result: unknown,
): unknown {
  const convert = converters.get(method)
  return result === null || convert === undefined ? result : convert(formats[client], result, params)
}

function each(list: unknown, rewrite: Rewrite): unknown {
  return Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? rewrite(item) : item)) : list
}

function formatBlock({ block, transaction }: ReplyFormat, object: Json): Json {
  const spelled = block(object)
  return 'transactions' in spelled
    ? { ...spelled, transactions: each(spelled.transactions, transaction) }
    : spelled
}

/** Receipts and simulated calls have logs. */
const withLogs = ({ log }: ReplyFormat, object: Json): Json => ({ ...object, logs: each(object.logs, log) })

const formatReceipt = (format: ReplyFormat, receipt: Json) => withLogs(format, format.receipt(receipt))

function formatSimulated(format: ReplyFormat, simulated: Json): Json {
  const block = formatBlock(format, simulated)
  return { ...block, calls: each(block.calls, (call) => withLogs(format, format.simulatedCall(call))) }
}
