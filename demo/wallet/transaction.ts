import { type Address, formatEther, formatGwei, type Hex, type TransactionSerializableEIP1559 } from 'viem'
import { callNode } from './gateway.ts'

/** A transaction as requested by a page. The wallet fills in missing fields. */
export interface Wish {
  readonly to?: Address
  readonly value?: Hex
  readonly data?: Hex
  readonly gas?: Hex
  readonly nonce?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
}

/** Fills in missing fields from the chain. */
export async function fill(
  chainId: number,
  from: Address,
  wish: Wish,
): Promise<TransactionSerializableEIP1559> {
  const quantity = async (given: Hex | undefined, method: string, params: readonly unknown[]) =>
    BigInt(given ?? ((await callNode(chainId, method, params)) as Hex))
  const [nonce, gas, tip, price] = await Promise.all([
    quantity(wish.nonce, 'eth_getTransactionCount', [from, 'pending']),
    quantity(wish.gas, 'eth_estimateGas', [{ from, to: wish.to, value: wish.value, data: wish.data }]),
    quantity(wish.maxPriorityFeePerGas, 'eth_maxPriorityFeePerGas', []),
    quantity(wish.maxFeePerGas, 'eth_gasPrice', []),
  ])
  return {
    type: 'eip1559',
    chainId,
    nonce: Number(nonce),
    gas,
    maxPriorityFeePerGas: tip,
    maxFeePerGas: wish.maxFeePerGas ? price : 2n * price + tip,
    value: BigInt(wish.value ?? '0x0'),
    ...(wish.to && { to: wish.to }),
    ...(wish.data && { data: wish.data }),
  }
}

/** The lines to confirm, read from what will be signed. */
export function describe(
  transaction: TransactionSerializableEIP1559,
): readonly (readonly [string, string])[] {
  const { to, value = 0n, gas = 0n, maxFeePerGas = 0n, data } = transaction
  return [
    ['To', to ?? 'a new contract'],
    ['Amount', formatEther(value)],
    ['Fee, at most', formatEther(gas * maxFeePerGas)],
    ['Gas', `${gas} at ${formatGwei(maxFeePerGas)} gwei`],
    ...(data && data !== '0x' ? ([['Data', `${data.slice(0, 42)}…`]] as const) : []),
  ]
}
