import { toUnits } from '#lib/page/quantity.ts'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
import { agreedUnits } from './plan-readings.ts'

/** EIP-1559 prices, or a gas price on a chain without it. */
export type GasPrice =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint }

export interface FeeEstimate {
  readonly gas: bigint
  readonly price: GasPrice
  /** Upper bound of the total, including the layer 1 fee. */
  readonly max: bigint
  /** The part of it for layer 1. */
  readonly l1Max: bigint
}

/** Gas above the estimate, because state may change until the transaction is mined. A plain transfer needs none. */
const gasMarginPercent = 20n
const plainTransferGas = 21_000n

/** The OP Stack's GasPriceOracle, for the layer 1 data fee. Other chains have no code there. */
const l1Oracle = '0x420000000000000000000000000000000000000F'
/** Selector of `getL1Fee(bytes)`, which takes the unsigned transaction. */
const l1Fee = '0x49948e0e'
/** Transfers of coins and tokens are shorter, unsigned. */
const unsignedBytesMin = 224
/** Everything of an unsigned transaction but its data is shorter. */
const envelopeBytesMax = 156
/** The layer 1 fee may rise until the transaction is included. */
const l1MarginFactor = 2n

export function feeQuestions(data: `0x${string}`): readonly ReadCall[] {
  return [
    { method: 'eth_gasPrice', params: [] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_call', params: [{ to: l1Oracle, data: l1FeeCall(data.slice(2)) }, 'latest'] },
  ]
}

/** For the most expensive transaction around this data: all other bytes differ, so they cannot be compressed. */
function l1FeeCall(digits: string): string {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const isShort = envelopeBytesMax + digits.length / 2 <= unsignedBytesMin
  const filler = Array.from({ length: isShort ? unsignedBytesMin : envelopeBytesMax }, (_, index) =>
    (index + 1).toString(16).padStart(2, '0'),
  ).join('')
  const unsigned = isShort ? filler : filler + digits
  const length = unsigned.length / 2
  return l1Fee + word(32) + word(length) + unsigned.padEnd(Math.ceil(length / 32) * 64, '0')
}

/** The fee from the answers to `feeQuestions`; undefined when they are not sufficient. */
export function feeOf(estimated: bigint, readings: readonly Reading[]): FeeEstimate | undefined {
  const [price, tip, block, l1] = readings
  const found = priceOf(agreedUnits(price), agreedUnits(tip), block)
  const data = l1FeeOf(l1)
  if (found === undefined || data === null) return undefined
  const gas = estimated === plainTransferGas ? estimated : estimated + (estimated * gasMarginPercent) / 100n
  const perGas = 'gasPrice' in found ? found.gasPrice : found.maxFeePerGas
  const l1Max = l1MarginFactor * data
  return { gas, price: found, max: gas * perGas + l1Max, l1Max }
}

/** What the network asks for at this time, to be compared with a fee by `hasRisen`. */
export function priceQuestions(data: `0x${string}`): readonly ReadCall[] {
  return feeQuestions(data).filter(({ method }) => method === 'eth_gasPrice' || method === 'eth_call')
}

/** Whether the network asks for more than this fee: what is sent then may wait for hours. */
export function hasRisen({ price, l1Max }: FeeEstimate, [now, l1]: readonly Reading[]): boolean {
  const highest = 'gasPrice' in price ? price.gasPrice : price.maxFeePerGas
  return (agreedUnits(now) ?? 0n) > highest || (l1FeeOf(l1) ?? 0n) > l1Max
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
  // Not every node has eth_maxPriorityFeePerGas; eth_gasPrice includes a tip.
  const maxPriorityFeePerGas = tip ?? (gasPrice > base ? gasPrice - base : 0n)
  // Twice the price covers six full blocks of rising base fee. Only what is needed is paid.
  return { maxFeePerGas: 2n * gasPrice + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

function l1FeeOf(reading: Reading | undefined): bigint | null {
  if (reading?.state === 'agreed' && reading.value === '0x') return 0n
  return agreedUnits(reading)
}
