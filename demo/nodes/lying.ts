import { createHash } from 'node:crypto'
import type { DemoCall, Say } from './demo-call.ts'
import { hex } from './lagging.ts'

type Lie = (result: unknown, call: DemoCall) => unknown

/**
 * Changes true replies. Each lie name changes the same reply in the same way, on every node and at any time; different lie names
 * change it differently.
 */
export function lieAboutValues(truth: Say, lieName: string): Say {
  const offset = offsetOf(lieName)
  const lies = liesWith(offset)
  return async (call) => {
    // Does not send the transaction, and returns another hash.
    if (call.method === 'eth_sendRawTransaction') {
      return {
        result: `0x${createHash('sha256').update(lieName).update(String(call.params[0])).digest('hex')}`,
      }
    }
    const reply = await truth(call)
    const lie = lies[call.method]
    if (lie === undefined || !('result' in reply) || reply.result === null) return reply
    return { result: await lie(reply.result, call) }
  }
}

function liesWith(offset: bigint): Readonly<Record<string, Lie>> {
  const more =
    (by: bigint): Lie =>
    (result) =>
      hex(BigInt(String(result)) + by)
  const field =
    (name: string, lie: Lie): Lie =>
    (result, call) =>
      typeof result === 'object' && result !== null && name in result
        ? { ...result, [name]: lie((result as Record<string, unknown>)[name], call) }
        : result
  const each =
    (lie: Lie): Lie =>
    (result, call) =>
      Array.isArray(result) ? result.map((one) => lie(one, call)) : result

  const ether = 10n ** 18n
  const word: Lie = (result) => offsetWords(String(result), offset)
  const log = field('data', word)
  const receipt: Lie = (result, call) =>
    field('logs', each(log))(
      field('status', (status) => (status === '0x1' ? '0x0' : '0x1'))(result, call),
      call,
    )
  const transaction = field('value', more(offset))

  return {
    eth_getBalance: more(ether * ((offset % 1000n) + 1n)),
    eth_getTransactionCount: more((offset % 7n) + 1n),
    eth_getCode: (code) => `${code}${hex(offset).slice(2).padStart(8, '0')}`,
    eth_getStorageAt: word,
    eth_getStorageValues: (values) => values,
    eth_call: lieAboutCall(offset),
    eth_simulateV1: each(field('calls', each(field('returnData', word)))),
    eth_estimateGas: () => hex(30_000_000n - (offset % 1000n)),
    eth_createAccessList: field('gasUsed', more(offset)),
    eth_getProof: field('balance', more(ether)),
    eth_gasPrice: more(offset * 1_000_000n),
    eth_maxPriorityFeePerGas: more(offset * 1_000_000n),
    eth_blobBaseFee: more(offset),
    eth_feeHistory: field('baseFeePerGas', each(more(offset))),
    eth_getTransactionReceipt: receipt,
    eth_getBlockReceipts: each(receipt),
    eth_getTransactionByHash: transaction,
    eth_getTransactionByBlockHashAndIndex: transaction,
    eth_getTransactionByBlockNumberAndIndex: transaction,
    eth_getLogs: each(log),
  }
}

const aggregate3 = '0x82ad56cb'

/** Changes the result of a call; for a multicall the inner results, so that it still decodes. */
function lieAboutCall(offset: bigint): Lie {
  return async (result, { params }) => {
    const { data, input } = (params[0] ?? {}) as { data?: string; input?: string }
    if (!(input ?? data ?? '').startsWith(aggregate3)) return offsetWords(String(result), offset)
    const { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } = await import('viem')
    const shape = parseAbiParameters('(bool success, bytes returnData)[]')
    const [results] = decodeAbiParameters(shape, result as `0x${string}`)
    return encodeAbiParameters(shape, [
      results.map(({ success, returnData }) => ({ success, returnData: offsetWords(returnData, offset) })),
    ])
  }
}

/** Adds the offset to a single word. Longer data gets its last byte changed, so that text and lists still decode. */
function offsetWords(data: string, offset: bigint): `0x${string}` {
  if (data.length === 66) {
    const sum = (BigInt(data) + offset) & ((1n << 256n) - 1n)
    return `0x${sum.toString(16).padStart(64, '0')}`
  }
  if (data.length < 4) return `0x${hex(offset).slice(2).padStart(64, '0')}`
  const at = data.replace(/(00)+$/, '').length
  const last = Number.parseInt(data.slice(at - 2, at), 16) ^ 1
  return `0x${data.slice(2, at - 2)}${last.toString(16).padStart(2, '0')}${data.slice(at)}`
}

/** An offset between 0 and 2^24, derived from the lie name. */
function offsetOf(lieName: string): bigint {
  return BigInt(createHash('sha256').update(lieName).digest().readUIntBE(0, 3)) | 1n
}
