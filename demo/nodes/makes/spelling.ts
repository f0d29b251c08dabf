import { isObject, type Json, type Make, type Rewrite, type Spelling, spellings } from './spellings.ts'

export type { Make }

/** All clients. */
export const makes = Object.keys(spellings) as readonly Make[]

/**
 * Converts a result from the form of geth or anvil to the form of another client: order of keys, padding, and absent, null
 * or extra fields. The meaning stays the same. Methods without a specific form return the result itself.
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
