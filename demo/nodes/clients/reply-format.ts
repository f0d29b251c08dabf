import { type Client, formats, isObject, type Json, type ReplyFormat, type Rewrite } from './reply-formats.ts'

export type { Client }

export const clients = Object.keys(formats) as readonly Client[]

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
  const format = formats[client]
  if (result === null) return null
  if (method.startsWith('eth_getTransactionBy')) return format.transaction(result as Json)
  switch (method) {
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
    case 'eth_getUncleByBlockNumberAndIndex':
    case 'eth_getUncleByBlockHashAndIndex':
      return formatBlock(format, result as Json)
    case 'eth_getTransactionReceipt':
      return formatReceipt(format, result as Json)
    case 'eth_getBlockReceipts':
      return each(result, (receipt) => formatReceipt(format, receipt))
    case 'eth_getLogs':
      return each(result, format.log)
    case 'eth_getProof':
      return format.proof(result as Json, Array.isArray(params[1]) ? params[1] : [])
    case 'eth_feeHistory':
      return format.feeHistory(result as Json)
    case 'eth_createAccessList':
      return format.accessList(result as Json)
    case 'eth_simulateV1':
      return each(result, (block) => {
        const made = formatBlock(format, block)
        return { ...made, calls: each(made.calls, (call) => spelledCall(format, call)) }
      })
    default:
      return result
  }
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

function formatReceipt({ receipt, log }: ReplyFormat, object: Json): Json {
  const spelled = receipt(object)
  return { ...spelled, logs: each(spelled.logs, log) }
}

function spelledCall({ simulatedCall, log }: ReplyFormat, object: Json): Json {
  const spelled = simulatedCall(object)
  return { ...spelled, logs: each(spelled.logs, log) }
}
