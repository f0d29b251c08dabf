import { hexText } from './here.ts'

/** Params of the eth_feeHistory from which a price is derived: as far back, and at the percentile, that geth's own oracle looks. */
export const feeHistory: readonly unknown[] = ['0x14', 'latest', [60]]

/** eth_maxPriorityFeePerGas or eth_gasPrice from an agreed fee history: every node would say another price, the history is one. */
export function feeFrom(method: string, history: string): string {
  const { reward = [], gasUsedRatio = [], baseFeePerGas = [] } = JSON.parse(history) as History
  const tip =
    middle(
      (reward ?? [])
        .filter((_, index) => (gasUsedRatio[index] ?? 0) > 0)
        .flatMap(([first]) => (first === undefined ? [] : [BigInt(first)])),
    ) ?? defaultTip
  // The last entry is the next block's base fee.
  const base = BigInt(baseFeePerGas.at(-1) ?? 0)
  return hexText(method === 'eth_gasPrice' ? base + tip : tip)
}

interface History {
  readonly reward?: readonly (readonly string[])[] | null
  readonly gasUsedRatio?: readonly number[]
  readonly baseFeePerGas?: readonly string[]
}

/** 1 gwei, as geth has it where the blocks were empty. */
const defaultTip = 1_000_000_000n

function middle(values: readonly bigint[]): bigint | undefined {
  return [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[Math.floor(values.length / 2)]
}
