import { createHash } from 'node:crypto'
import type { Call, Say } from './exchange.ts'
import { hex } from './view.ts'

type Lie = (result: unknown, call: Call) => unknown

/**
 * Changes what another would have said. One voice tells one lie: the same voice changes the same answer in the
 * same way, on every node and at every time; another voice, in another.
 */
export function lieAboutValues(truth: Say, voice: string): Say {
  const twist = twistOf(voice)
  const lies = liesWith(twist)
  return async (call) => {
    // It keeps the transaction to itself, and names another.
    if (call.method === 'eth_sendRawTransaction') {
      return {
        result: `0x${createHash('sha256').update(voice).update(String(call.params[0])).digest('hex')}`,
      }
    }
    const reply = await truth(call)
    const lie = lies[call.method]
    if (lie === undefined || !('result' in reply) || reply.result === null) return reply
    return { result: await lie(reply.result, call) }
  }
}

function liesWith(twist: bigint): Readonly<Record<string, Lie>> {
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
  const word: Lie = (result) => twistWords(String(result), twist)
  const log = field('data', word)
  const receipt: Lie = (result, call) =>
    field('logs', each(log))(
      field('status', (status) => (status === '0x1' ? '0x0' : '0x1'))(result, call),
      call,
    )
  const transaction = field('value', more(twist))

  return {
    eth_getBalance: more(ether * ((twist % 1000n) + 1n)),
    eth_getTransactionCount: more((twist % 7n) + 1n),
    eth_getCode: (code) => `${code}${hex(twist).slice(2).padStart(8, '0')}`,
    eth_getStorageAt: word,
    eth_getStorageValues: (values) => values,
    eth_call: lieAboutCall(twist),
    eth_simulateV1: each(field('calls', each(field('returnData', word)))),
    eth_estimateGas: () => hex(30_000_000n - (twist % 1000n)),
    eth_createAccessList: field('gasUsed', more(twist)),
    eth_getProof: field('balance', more(ether)),
    eth_gasPrice: more(twist * 1_000_000n),
    eth_maxPriorityFeePerGas: more(twist * 1_000_000n),
    eth_blobBaseFee: more(twist),
    eth_feeHistory: field('baseFeePerGas', each(more(twist))),
    eth_getTransactionReceipt: receipt,
    eth_getBlockReceipts: each(receipt),
    eth_getTransactionByHash: transaction,
    eth_getTransactionByBlockHashAndIndex: transaction,
    eth_getTransactionByBlockNumberAndIndex: transaction,
    eth_getLogs: each(log),
  }
}

const aggregate3 = '0x82ad56cb'

/** A call's result; of a multicall the inner results, so that whoever unpacks it finds the lie and no rubbish. */
function lieAboutCall(twist: bigint): Lie {
  return async (result, { params }) => {
    const { data, input } = (params[0] ?? {}) as { data?: string; input?: string }
    if (!(input ?? data ?? '').startsWith(aggregate3)) return twistWords(String(result), twist)
    const { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } = await import('viem')
    const shape = parseAbiParameters('(bool success, bytes returnData)[]')
    const [results] = decodeAbiParameters(shape, result as `0x${string}`)
    return encodeAbiParameters(shape, [
      results.map(({ success, returnData }) => ({ success, returnData: twistWords(returnData, twist) })),
    ])
  }
}

/** One word grows by the twist; anything longer has its last byte turned, so that text and lists still unpack. */
function twistWords(data: string, twist: bigint): `0x${string}` {
  if (data.length === 66) {
    const sum = (BigInt(data) + twist) & ((1n << 256n) - 1n)
    return `0x${sum.toString(16).padStart(64, '0')}`
  }
  if (data.length < 4) return `0x${hex(twist).slice(2).padStart(64, '0')}`
  const at = data.replace(/(00)+$/, '').length
  const last = Number.parseInt(data.slice(at - 2, at), 16) ^ 1
  return `0x${data.slice(2, at - 2)}${last.toString(16).padStart(2, '0')}${data.slice(at)}`
}

/** A number above zero and below 2^24 that only this voice has. */
function twistOf(voice: string): bigint {
  return BigInt(createHash('sha256').update(voice).digest().readUIntBE(0, 3)) | 1n
}
