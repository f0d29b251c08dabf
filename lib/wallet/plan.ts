import { toUnits } from '#lib/page/chain-view.ts'
import type { Question, Reading, Refusal } from '#lib/page/reading.ts'

/** What a visitor wants to send. */
export interface Intent {
  readonly chainId: number
  readonly from: `0x${string}`
  readonly to: `0x${string}`
  readonly value: bigint
}

/** An intent with everything that the wallet is asked to sign, read anew through the quorum. */
export interface Plan {
  readonly intent: Intent
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly feeMax: bigint
  readonly balance: bigint
  /** The block at which it was tried, and would have gone through. */
  readonly block: number | null
  readonly agreed: Extract<Reading, { state: 'agreed' }>['quorum']
  /** Whether there is code at the recipient's address. */
  readonly toContract: boolean
}

export type Planned =
  | { readonly plan: Plan }
  | { readonly fault: 'funds' | 'reverts' }
  | { readonly refused: Refusal }

/** Extra gas over the estimate, in hundredths: state may change until the transaction is mined. A plain transfer needs none. */
const gasMarginPercent = 20n
const plainTransferGas = 21_000n

/**
 * Reads all that a transaction needs at one agreed block, and tries it there. No figure that the page showed before is
 * used: those may be old.
 */
export async function planSend(
  intent: Intent,
  ask: (questions: readonly Question[]) => Promise<readonly Reading[]>,
): Promise<Planned> {
  const { from, to, value } = intent
  const call = { from, to, value: `0x${value.toString(16)}` }
  const readings = await ask([
    { method: 'eth_getBalance', params: [from, 'latest'] },
    { method: 'eth_call', params: [call, 'latest'] },
    { method: 'eth_estimateGas', params: [call] },
    { method: 'eth_gasPrice', params: [] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    { method: 'eth_getCode', params: [to, 'latest'] },
  ])
  const [balance, tried, estimate, price, tip, code] = readings
  const funds = unitsOf(balance)
  if (funds !== null && funds < value) return { fault: 'funds' }
  const refusal = readings.find((reading) => reading.state === 'refused' && reading.why !== 'refused')
  if (refusal?.state === 'refused') return { refused: refusal.why }
  if (tried?.state !== 'agreed' || estimate?.state !== 'agreed') return { fault: 'reverts' }

  const [estimated, gasPrice, priority] = [estimate, price, tip].map(unitsOf)
  if (funds === null || estimated == null || gasPrice == null || priority == null) {
    return { refused: 'silent' }
  }
  const gas = estimated === plainTransferGas ? estimated : estimated + (estimated * gasMarginPercent) / 100n
  // Twice the price outlasts six full blocks of rising base fee; what is not needed is not paid.
  const maxFeePerGas = 2n * gasPrice + priority
  const feeMax = gas * maxFeePerGas
  if (funds < value + feeMax) return { fault: 'funds' }
  return {
    plan: {
      intent,
      gas,
      maxFeePerGas,
      maxPriorityFeePerGas: priority,
      feeMax,
      balance: funds,
      block: tried.block,
      agreed: tried.quorum,
      toContract: code?.state === 'agreed' && code.value !== '0x',
    },
  }
}

function unitsOf(reading: Reading | undefined): bigint | null {
  return reading?.state === 'agreed' ? toUnits(reading.value) : null
}
