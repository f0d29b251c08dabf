import { z } from 'zod'
import type { Shape } from '../../../../rpc-proxy/wire/canonical.ts'

const quantity = z.string().regex(/^0x(0|[1-9a-f][0-9a-f]*)$/)
const data = z.string().regex(/^0x([0-9a-f]{2})*$/)
const bytes = (length: number) => data.length(2 + 2 * length)
const [address, hash] = [bytes(20), bytes(32)]
const someone = address.nullable().optional()
const list = (type: z.ZodType = z.unknown()) => z.array(type)
/** Members of one type. */
const all = (type: z.ZodType, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, type]))

const log = z.looseObject({
  address,
  data,
  topics: list(hash),
  removed: z.boolean(),
  ...all(hash, 'blockHash transactionHash'),
  ...all(quantity, 'blockNumber transactionIndex logIndex'),
})

const receipt = z.looseObject({
  from: address,
  logs: list(log),
  logsBloom: bytes(256),
  status: z.enum(['0x0', '0x1']).optional(),
  root: hash.optional(),
  ...all(someone, 'to contractAddress'),
  ...all(hash, 'transactionHash blockHash'),
  ...all(quantity, 'transactionIndex blockNumber gasUsed'),
  ...all(quantity.optional(), 'type cumulativeGasUsed effectiveGasPrice'),
})

const accessList = list(z.looseObject({ address, storageKeys: list(hash) }))

const transaction = z.looseObject({
  hash,
  from: address,
  to: someone,
  input: data,
  blockHash: hash.nullable(),
  accessList: accessList.optional(),
  authorizationList: list(z.looseObject({ address })).optional(),
  blobVersionedHashes: list(hash).optional(),
  ...all(quantity, 'gas value'),
  ...all(quantity.optional(), 'type nonce'),
  ...all(quantity.nullable(), 'blockNumber transactionIndex'),
})

const header = z.looseObject({
  miner: address,
  logsBloom: bytes(256),
  extraData: data,
  nonce: bytes(8),
  ...all(hash, 'hash parentHash sha3Uncles stateRoot transactionsRoot receiptsRoot mixHash'),
  ...all(hash.optional(), 'withdrawalsRoot requestsHash'),
  ...all(quantity, 'number gasLimit gasUsed timestamp'),
  ...all(quantity.optional(), 'size baseFeePerGas'),
})

const prices = list(quantity)
const shares = list(z.number())

const call = z.looseObject({
  status: z.enum(['0x0', '0x1']),
  returnData: data,
  gasUsed: quantity,
  logs: list(z.looseObject({ address, topics: list(hash), data })),
  error: z.looseObject({ code: z.int(), message: z.string(), data: data.optional() }).optional(),
})

/** Result types of execution-apis by shape. Lists are never null. */
export const answerTypes: Partial<Record<Shape, z.ZodType>> = {
  block: header.extend({
    transactions: list(z.union([hash, transaction])),
    uncles: list(hash),
    withdrawals: list(z.looseObject({ index: quantity, address, amount: quantity })).optional(),
  }),
  uncle: header.extend({
    ...all(list(hash).optional(), 'transactions uncles'),
    withdrawals: list().optional(),
  }),
  transaction,
  receipt,
  receipts: list(receipt),
  logs: list(log),
  proof: z.looseObject({
    address,
    ...all(quantity, 'balance nonce'),
    ...all(hash, 'codeHash storageHash'),
    accountProof: list(data),
    storageProof: list(z.looseObject({ key: data, value: quantity, proof: list(data) })),
  }),
  'fee-history': z.looseObject({
    oldestBlock: quantity,
    baseFeePerGas: prices,
    gasUsedRatio: shares,
    reward: list(prices).optional(),
    baseFeePerBlobGas: prices.optional(),
    blobGasUsedRatio: shares.optional(),
  }),
  'access-list': z.looseObject({
    accessList,
    gasUsed: quantity.optional(),
    error: z.string().optional(),
  }),
  simulation: list(
    z.looseObject({
      ...all(quantity, 'number timestamp gasLimit gasUsed'),
      baseFeePerGas: quantity.optional(),
      uncles: list(hash).optional(),
      ...all(list().optional(), 'transactions withdrawals'),
      calls: list(call),
    }),
  ),
}
