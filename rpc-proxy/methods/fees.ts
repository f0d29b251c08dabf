import { hexText } from './local.ts'

/** Params of the eth_feeHistory from which a price is derived: as far back, and at the percentile, that geth's own oracle looks. */
export const feeHistoryParams: readonly unknown[] = ['0x14', 'latest', [60]]

/** A fee from the agreed fee history, as the JSON text of a quantity. Nodes would each suggest another price; the history is the same for all. */
export type Fee = (history: FeeHistory, chainId: number) => string

/** The next block's (execution-apis #795). */
export const baseFee: Fee = (history) => hexText(nextBaseFee(history))

/**
 * The next block's; geth tells the head's, which a transaction no longer pays. A chain without blobs has none: `null`, as geth
 * says. EIP-4844 never lets it fall below 1 wei, so zero says that the chain has no blobs.
 */
export const blobBaseFee: Fee = ({ baseFeePerBlobGas }) => {
  const next = BigInt(baseFeePerBlobGas?.at(-1) ?? 0)
  return next === 0n ? 'null' : hexText(next)
}

export const priorityFee: Fee = (history, chainId) => hexText(tipOf(history, chainId))

export const gasPrice: Fee = (history, chainId) => hexText(nextBaseFee(history) + tipOf(history, chainId))

interface FeeHistory {
  readonly reward?: readonly (readonly string[])[] | null
  readonly gasUsedRatio?: readonly number[]
  readonly baseFeePerGas?: readonly string[]
  readonly baseFeePerBlobGas?: readonly string[] | null
}

/** The last entry is the next block's. */
function nextBaseFee({ baseFeePerGas }: FeeHistory): bigint {
  return BigInt(baseFeePerGas?.at(-1) ?? 0)
}

const gwei = 1_000_000_000n

interface Tip {
  /** Where the blocks were empty, wei. */
  readonly otherwise: bigint
  /** The least that the chain's nodes accept, wei. */
  readonly min: bigint
}

/** As geth suggests where the blocks were empty. */
const usualTip: Tip = { otherwise: gwei, min: 0n }

const tips: ReadonlyMap<number, Tip> = new Map([
  // PIP-35: bor and erigon take no transaction whose tip is lower (`BorDefaultTxPoolPriceLimit`).
  [137, { otherwise: 25n * gwei, min: 25n * gwei }],
  // Arbitrum's sequencer orders by arrival and is paid no tip (nitro's eth_maxPriorityFeePerGas is always 0).
  [42161, { otherwise: 0n, min: 0n }],
])

function tipOf({ reward, gasUsedRatio = [] }: FeeHistory, chainId: number): bigint {
  const rewards = (reward ?? [])
    .filter((_, index) => (gasUsedRatio[index] ?? 0) > 0)
    .flatMap(([first]) => (first === undefined ? [] : [BigInt(first)]))
  const { otherwise, min } = tips.get(chainId) ?? usualTip
  const tip = middle(rewards) ?? otherwise
  return tip < min ? min : tip
}

function middle(values: readonly bigint[]): bigint | undefined {
  return [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[Math.floor(values.length / 2)]
}
