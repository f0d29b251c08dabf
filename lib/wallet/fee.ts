import { toUnits } from '#lib/page/chain-view.ts'
import type { Question, Reading } from '#lib/page/reading.ts'

/** What a unit of gas costs: by EIP-1559, or on a chain without it. */
export type GasPrice =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint }

export interface Fee {
  readonly gas: bigint
  readonly price: GasPrice
  /** Most that is paid, for its data on another chain too. */
  readonly max: bigint
}

/** Extra gas over the estimate, in hundredths: state may change until the transaction is mined. A plain transfer needs none. */
const gasMarginPercent = 20n
const plainTransferGas = 21_000n

/** Where chains of the OP Stack tell what a transaction's data costs on their layer 1. Elsewhere nothing is there. */
const l1Oracle = '0x420000000000000000000000000000000000000F'
/** `getL1Fee(bytes)`, for a transaction before it is signed. */
const l1Fee = '0x49948e0e'
/** A transfer of coins or of a token is shorter. */
const unsignedBytesMax = 224
/** Layer 1 may ask more by the time that the transaction is included. */
const l1MarginFactor = 2n

export const feeQuestions: readonly Question[] = [
  { method: 'eth_gasPrice', params: [] },
  { method: 'eth_maxPriorityFeePerGas', params: [] },
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  { method: 'eth_call', params: [{ to: l1Oracle, data: l1FeeCall() }, 'latest'] },
]

/** Asks for the dearest transaction of that length: each of its bytes is another one, so nothing of it can be compressed. */
function l1FeeCall(): string {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const bytes = Array.from({ length: unsignedBytesMax }, (_, place) =>
    (place + 1).toString(16).padStart(2, '0'),
  )
  return l1Fee + word(32) + word(unsignedBytesMax) + bytes.join('')
}

/** The fee by the answers to `feeQuestions`; undefined where it cannot be told. */
export function feeOf(estimated: bigint, readings: readonly Reading[]): Fee | undefined {
  const [price, tip, block, l1] = readings
  const found = priceOf(unitsOf(price), unitsOf(tip), block)
  const data = l1FeeOf(l1)
  if (found === undefined || data === null) return undefined
  const gas = estimated === plainTransferGas ? estimated : estimated + (estimated * gasMarginPercent) / 100n
  const perGas = 'gasPrice' in found ? found.gasPrice : found.maxFeePerGas
  return { gas, price: found, max: gas * perGas + l1MarginFactor * data }
}

function priceOf(
  gasPrice: bigint | null,
  tip: bigint | null,
  block: Reading | undefined,
): GasPrice | undefined {
  if (gasPrice === null || block?.state !== 'agreed') return undefined
  const { baseFeePerGas } = (block.value ?? {}) as { readonly baseFeePerGas?: unknown }
  if (baseFeePerGas === undefined) return { gasPrice }
  const base = toUnits(baseFeePerGas)
  if (base === null) return undefined
  // Not every node has the method for tips; the price has one in it.
  const maxPriorityFeePerGas = tip ?? (gasPrice > base ? gasPrice - base : 0n)
  // Twice the price outlasts six full blocks of rising base fee; what is not needed is not paid.
  return { maxFeePerGas: 2n * gasPrice + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

function l1FeeOf(reading: Reading | undefined): bigint | null {
  if (reading?.state === 'agreed' && reading.value === '0x') return 0n
  return unitsOf(reading)
}

function unitsOf(reading: Reading | undefined): bigint | null {
  return reading?.state === 'agreed' ? toUnits(reading.value) : null
}
