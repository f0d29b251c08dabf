import { z } from 'zod'
import type { Shape } from '../../../../rpc-proxy/wire/types.ts'

const quantity = z.string().regex(/^0x(0|[1-9a-f][0-9a-f]*)$/)
const data = z.string().regex(/^0x([0-9a-f]{2})*$/)
const bytes = (length: number) => data.length(2 + 2 * length)
const [address, hash] = [bytes(20), bytes(32)]
const someone = address.nullable().optional()

const log = z.looseObject({
  address,
  topics: z.array(hash),
  data,
  blockNumber: quantity,
  blockHash: hash,
  transactionHash: hash,
  transactionIndex: quantity,
  logIndex: quantity,
  removed: z.boolean(),
})

const receipt = z.looseObject({
  type: quantity.optional(),
  transactionHash: hash,
  transactionIndex: quantity,
  blockHash: hash,
  blockNumber: quantity,
  from: address,
  to: someone,
  contractAddress: someone,
  cumulativeGasUsed: quantity.optional(),
  gasUsed: quantity,
  effectiveGasPrice: quantity.optional(),
  logs: z.array(log),
  logsBloom: bytes(256),
  status: z.enum(['0x0', '0x1']).optional(),
  root: hash.optional(),
})

const transaction = z.looseObject({
  type: quantity.optional(),
  hash,
  from: address,
  to: someone,
  nonce: quantity.optional(),
  gas: quantity,
  value: quantity,
  input: data,
  blockHash: hash.nullable(),
  blockNumber: quantity.nullable(),
  transactionIndex: quantity.nullable(),
  accessList: z.array(z.looseObject({ address, storageKeys: z.array(hash) })).optional(),
  authorizationList: z.array(z.looseObject({ address })).optional(),
  blobVersionedHashes: z.array(hash).optional(),
})

const header = z.looseObject({
  hash,
  parentHash: hash,
  sha3Uncles: hash,
  miner: address,
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: bytes(256),
  number: quantity,
  gasLimit: quantity,
  gasUsed: quantity,
  timestamp: quantity,
  extraData: data,
  mixHash: hash,
  nonce: bytes(8),
  size: quantity.optional(),
  baseFeePerGas: quantity.optional(),
  withdrawalsRoot: hash.optional(),
  requestsHash: hash.optional(),
})

const prices = z.array(quantity)
const shares = z.array(z.number())

/** Result types of execution-apis by shape. Lists are never null. */
export const answerTypes: Partial<Record<Shape, z.ZodType>> = {
  block: header.extend({
    transactions: z.array(z.union([hash, transaction])),
    uncles: z.array(hash),
    withdrawals: z.array(z.looseObject({ index: quantity, address, amount: quantity })).optional(),
  }),
  uncle: header.extend({
    transactions: z.array(hash).optional(),
    uncles: z.array(hash).optional(),
    withdrawals: z.array(z.unknown()).optional(),
  }),
  transaction,
  receipt,
  receipts: z.array(receipt),
  logs: z.array(log),
  proof: z.looseObject({
    address,
    balance: quantity,
    codeHash: hash,
    nonce: quantity,
    storageHash: hash,
    accountProof: z.array(data),
    storageProof: z.array(z.looseObject({ key: data, value: quantity, proof: z.array(data) })),
  }),
  'fee-history': z.looseObject({
    oldestBlock: quantity,
    baseFeePerGas: prices,
    gasUsedRatio: shares,
    reward: z.array(prices).optional(),
    baseFeePerBlobGas: prices.optional(),
    blobGasUsedRatio: shares.optional(),
  }),
  'access-list': z.looseObject({
    accessList: z.array(z.looseObject({ address, storageKeys: z.array(hash) })),
    gasUsed: quantity.optional(),
    error: z.string().optional(),
  }),
  simulation: z.array(
    z.looseObject({
      number: quantity,
      timestamp: quantity,
      gasLimit: quantity,
      gasUsed: quantity,
      baseFeePerGas: quantity.optional(),
      transactions: z.array(z.unknown()).optional(),
      uncles: z.array(hash).optional(),
      withdrawals: z.array(z.unknown()).optional(),
      calls: z.array(
        z.looseObject({
          status: z.enum(['0x0', '0x1']),
          returnData: data,
          gasUsed: quantity,
          logs: z.array(z.looseObject({ address, topics: z.array(hash), data })),
          error: z.looseObject({ code: z.int(), message: z.string(), data: data.optional() }).optional(),
        }),
      ),
    }),
  ),
}
