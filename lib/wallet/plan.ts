import { toUnits } from '#lib/page/chain-view.ts'
import type { Question, Reading, Refusal } from '#lib/page/reading.ts'
import { type Fee, feeOf, feeQuestions } from './fee.ts'

/** What a visitor wants to send. */
export interface Intent {
  readonly chainId: number
  readonly from: `0x${string}`
  /** The transaction's recipient; for a token, its contract. */
  readonly to: `0x${string}`
  /** In the smallest unit of the chain's currency. */
  readonly value: bigint
  readonly token?: TokenIntent
  /** A multi-owner wallet: one of the owners executes the transaction and pays the fee. */
  readonly hasOwners: boolean
}

export interface TokenIntent {
  readonly action: 'transfer' | 'approve'
  readonly data: `0x${string}`
  /** The recipient or the spender. */
  readonly party: `0x${string}`
  /** In the token's smallest units; null for unlimited. */
  readonly amount: bigint | null
  readonly symbol: string
  readonly decimals: number
}

/** An intent with everything that the wallet will sign, freshly read through the quorum. */
export interface Plan {
  readonly intent: Intent
  /** Null when the account itself pays none. */
  readonly fee: Fee | null
  readonly balance: bigint
  /** The block at which it was simulated successfully. */
  readonly block: number | null
  readonly agreed: Extract<Reading, { state: 'agreed' }>['quorum']
  /** Whether the recipient or spender is a contract. An EIP-7702 delegation does not count. */
  readonly toContract: boolean
}

export type Planned =
  | { readonly plan: Plan }
  | { readonly fault: 'funds' | 'reverts' }
  | { readonly refused: Refusal }

/**
 * Reads everything that a transaction needs at one agreed block and simulates it there. Figures that the page showed before are
 * not used, because they may be stale.
 */
export async function planSend(
  intent: Intent,
  ask: (questions: readonly Question[]) => Promise<readonly Reading[]>,
): Promise<Planned> {
  const { from, to, value, hasOwners, token } = intent
  const call = { from, to, value: `0x${value.toString(16)}`, ...(token && { data: token.data }) }
  const readings = await ask([
    { method: 'eth_getBalance', params: [from, 'latest'] },
    { method: 'eth_call', params: [call, 'latest'] },
    { method: 'eth_estimateGas', params: [call] },
    { method: 'eth_getCode', params: [token?.party ?? to, 'latest'] },
    ...(hasOwners ? [] : feeQuestions),
  ])
  const [balance, tried, estimate, code, ...ofFee] = readings
  const funds = unitsOf(balance)
  if (funds !== null && funds < value) return { fault: 'funds' }
  const refusal = readings.find((reading) => reading.state === 'refused' && reading.why !== 'refused')
  if (refusal?.state === 'refused') return { refused: refusal.why }
  if (tried?.state !== 'agreed' || estimate?.state !== 'agreed') return { fault: 'reverts' }

  const gas = unitsOf(estimate)
  if (funds === null || gas === null) return { refused: 'silent' }
  const fee = hasOwners ? null : feeOf(gas, ofFee)
  if (fee === undefined) return { refused: 'silent' }
  if (funds < value + (fee?.max ?? 0n)) return { fault: 'funds' }
  return {
    plan: {
      intent,
      fee,
      balance: funds,
      block: tried.block,
      agreed: tried.quorum,
      toContract: code?.state === 'agreed' && isContract(code.value),
    },
  }
}

/** The code of an EOA with an EIP-7702 delegation: this prefix and the contract's address. */
const delegation = /^0xef0100[0-9a-f]{40}$/i

function isContract(code: unknown): boolean {
  return code !== '0x' && !(typeof code === 'string' && delegation.test(code))
}

function unitsOf(reading: Reading | undefined): bigint | null {
  return reading?.state === 'agreed' ? toUnits(reading.value) : null
}
