import { z } from 'zod'
import { hexOf } from './block-ref.ts'
import {
  address,
  badParams,
  data,
  fail,
  fields,
  hash,
  list,
  quantity,
  term,
  uint64,
  withoutNulls,
} from './params.ts'

const accessList = list(fields({ address, storageKeys: list(hash, { max: 1024, of: 'storage keys' }) }), {
  max: 256,
  of: 'access list entries',
})

const authorizationList = list(
  fields({ chainId: quantity, address, nonce: uint64, yParity: quantity, r: quantity, s: quantity }),
  { max: 64, of: 'authorizations' },
)

const blobVersionedHashes = list(hash, { max: 64, of: 'blob hashes' })

const readType = (value: unknown) =>
  typeof value === 'string' && /^0[xX][0-4]$/.test(value) ? value : undefined

/** In the order in which a canonical call object has them. */
const callFields = fields(
  {
    from: address.optional(),
    to: address.optional(),
    gas: uint64.optional(),
    gasPrice: quantity.optional(),
    maxFeePerGas: quantity.optional(),
    maxPriorityFeePerGas: quantity.optional(),
    value: quantity.optional(),
    nonce: uint64.optional(),
    chainId: quantity.optional(),
    data: data.optional(),
    input: data.optional(),
    accessList: accessList.optional(),
    authorizationList: authorizationList.optional(),
    type: term('a transaction type: 0x0 to 0x4', readType).optional(),
    maxFeePerBlobGas: quantity.optional(),
    blobVersionedHashes: blobVersionedHashes.optional(),
    blobs: z.unknown().optional(),
    commitments: z.unknown().optional(),
    proofs: z.unknown().optional(),
  },
  inputAsData,
)

type CallFields = z.output<typeof callFields>

/** What is asked of nodes, and what the key is made of: these fields, in this order. */
export type CallObject = Omit<CallFields, 'input' | 'type' | 'blobs' | 'commitments' | 'proofs'>

/**
 * A transaction to be simulated. `input` goes out as `data`, the name that every client knows; `type` is left out, since
 * geth does not read it and the other fields imply it. A blob sidecar is left out too: execution sees its hashes alone, and
 * viem sends both. Fields that no client knows are dropped, as geth drops them.
 */
export const callObject = callFields.transform((call, context): CallObject => {
  const { input, type: _type, blobs, commitments, proofs, ...rest } = call
  if (input !== undefined && input !== rest.data)
    return fail(context, call, 'both "data" and "input" are set and not equal')
  if (rest.blobVersionedHashes === undefined && (blobs ?? commitments ?? proofs) !== undefined)
    return fail(context, call, 'blobs are not supported without blobVersionedHashes')
  const wrong = feeFault(rest) ?? authorizationFault(rest) ?? blobFault(rest)
  return wrong === null ? rest : fail(context, call, wrong)
})

// Nodes refuse these in words of their own, which would read as faults of theirs; so they are refused before any is asked.
function feeFault({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: CallObject): string | null {
  if (gasPrice !== undefined && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined)
    return 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified'
  if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) return null
  return BigInt(maxPriorityFeePerGas) > BigInt(maxFeePerGas)
    ? 'maxFeePerGas is less than maxPriorityFeePerGas'
    : null
}

function authorizationFault({ authorizationList, to }: CallObject): string | null {
  if (authorizationList === undefined) return null
  if (to === undefined) return 'authorizationList needs "to"'
  return authorizationList.length === 0 ? 'authorizationList is empty' : null
}

/** EIP-4844, in geth's words. */
function blobFault({ blobVersionedHashes, to }: CallObject): string | null {
  if (blobVersionedHashes === undefined) return null
  if (to === undefined) return 'blob transaction of type create'
  if (blobVersionedHashes.length === 0) return 'blob transaction missing blob hashes'
  const wrong = blobVersionedHashes.findIndex((hash) => !hash.startsWith('0x01'))
  return wrong === -1 ? null : `blob ${wrong} has invalid hash version`
}

function inputAsData(value: unknown): unknown {
  const call = withoutNulls(value)
  if (typeof call !== 'object' || call === null || !('input' in call) || 'data' in call) return call
  return { ...call, data: call.input }
}

/** Gas of a call that names none, and the most that any call gets: more is cut to it, as nodes do by caps of their own. */
const callGas = 30_000_000

/** EIP-7825: gas of one transaction, on the chains where it is active (Osaka; Madhugiri on Polygon). */
const transactionGasMax = 16_777_216
const capped: ReadonlySet<number> = new Set([1, 137, 17_000, 80_002, 560_048, 11_155_111])

/** The same for a transaction that fits a block with this gas limit; null where that is not known. */
export function transactionGasOf(chainId: number, gasLimit: number | null): number {
  return Math.min(callGas, gasLimit ?? callGas, capped.has(chainId) ? transactionGasMax : callGas)
}

interface CallLimits {
  readonly chainId: number
  /** Of the agreed head; null where it is not known. */
  readonly gasLimit: number | null
}

/** Params -> those that fit the chain. Throws CallError `bad-params` when a call object names another chain. */
export type Fit = (params: readonly unknown[], limits: CallLimits) => readonly unknown[]

/** Of methods whose first param is a call object. */
export const fitCall: Fit = (params, limits) => params.with(0, fitted(params[0] as CallObject, limits))

/** As `fitCall`; a call without gas gets what a transaction could have, so that all nodes run it with the same and none refuses it. */
export const fitCallWithGas: Fit = (params, limits) => {
  const call = fitted(params[0] as CallObject, limits)
  const { chainId, gasLimit } = limits
  return params.with(
    0,
    call.gas === undefined ? { ...call, gas: hexOf(transactionGasOf(chainId, gasLimit)) } : call,
  )
}

/** The gas that a call names is cut to `callGas`. */
export function fitted(call: CallObject, { chainId }: CallLimits): CallObject {
  if (call.chainId !== undefined && call.chainId !== hexOf(chainId))
    throw badParams(`chainId does not match this chain's (have=${call.chainId}, want=${hexOf(chainId)})`)
  return call.gas !== undefined && Number(call.gas) > callGas ? { ...call, gas: hexOf(callGas) } : call
}

/** What of a call object is read here; params are canonical, so addresses and data are lower-case hex. */
interface Execution {
  readonly to?: string | undefined
  readonly data?: string | undefined
}

/** Fields of accounts that a call replaces, by address. */
export type Overrides = Readonly<Record<string, object>>

/** What a call has nodes run. */
export interface Executions {
  readonly calls: readonly Execution[]
  readonly overrides: readonly Overrides[]
}

export function executionsOfCall(params: readonly unknown[]): Executions {
  const [call, , overrides] = params as readonly [Execution, unknown?, Overrides?]
  return { calls: [call], overrides: overrides === undefined ? [] : [overrides] }
}

/** Gas that a transaction pays before its first instruction: EIP-2, 2028, 2930, 3860 and 7702, as go-ethereum's IntrinsicGas. */
const costs = {
  transaction: 21_000,
  creation: 32_000,
  initcodeWord: 2,
  zeroByte: 4,
  otherByte: 16,
  accessListAddress: 2400,
  accessListKey: 1900,
  authorization: 25_000,
}

const wordBytes = 32

export function intrinsicGas({
  to,
  data = '0x',
  accessList = [],
  authorizationList = [],
}: CallObject): number {
  const bytes = data.slice(2).match(/../g) ?? []
  const zeros = bytes.filter((byte) => byte === '00').length
  const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0)
  const creation =
    to === undefined ? costs.creation + costs.initcodeWord * Math.ceil(bytes.length / wordBytes) : 0
  return (
    costs.transaction +
    creation +
    zeros * costs.zeroByte +
    (bytes.length - zeros) * costs.otherByte +
    accessList.length * costs.accessListAddress +
    keys * costs.accessListKey +
    authorizationList.length * costs.authorization
  )
}
