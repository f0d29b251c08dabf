import type { Abi, Hex } from 'viem'
import type { NamedParty } from '#lib/names/named-party.ts'
import { toHex, toNumber } from '#lib/page/quantity.ts'
import {
  agreedValue,
  type ReadCall,
  type ReadCalls,
  type ReadFailure,
  type Reading,
} from '#lib/page/reading.ts'
import { labelQuestions, readLabel, tokenCall } from '#lib/token/erc20.ts'
import type { CallDisplay } from './call-display.ts'
import type { CallLabel } from './call-label.ts'
import { type Change, changesQuestion, revertOf, simulateChanges } from './changes.ts'
import { amountOf, type Effect, effectReads, readSimulation, simulateQuestion } from './effect.ts'
import { type FeeEstimate, feeOf, feeQuestions } from './fee.ts'
import {
  decodeCall,
  isSameAllowance,
  isToken,
  type Meaning,
  meaningOf,
  type TokenMeaning,
  type WalletCall,
} from './meaning.ts'
import { agreedUnits, isContract, readOutcome } from './plan-readings.ts'
import type { Reviewed, TokenLabel } from './reviewed.ts'

/** What a visitor wants to send. */
export interface Intent extends WalletCall {
  readonly chainId: number
  /** How amounts of the called token are written, read with everything else: what the page read before may be a lie. */
  readonly token?: TokenLabel
  /** The function and its arguments, where the ABI is known. */
  readonly label?: CallLabel
  /** The name that led to the recipient or spender. */
  readonly named?: NamedParty
  /** Whether the whole balance except the fee is sent. `value` is that amount at the time of the plan. */
  readonly isEverything?: boolean
  /** Of the called contract: names its errors. */
  readonly abi?: Abi
  /** A multi-owner wallet: one of the owners executes the transaction and pays the fee. */
  readonly hasOwners: boolean
}

/** One call of a plan. */
export interface PlannedCall {
  readonly intent: Intent
  readonly meaning: Meaning
  /** Whether the recipient or spender is a contract. An EIP-7702 delegation does not count. */
  readonly toContract: boolean
  /** What a token call changes, as simulated; null where the nodes cannot simulate it. Of several calls in one prompt, what a recipient gains. */
  readonly effect: Effect | null
  /** In the words of its descriptor, where there is one. */
  readonly display?: CallDisplay
}

/** Everything that the wallet will sign, freshly read through the quorum. */
export interface Plan {
  /** Several where the wallet carries them out as one. All have the same sender. */
  readonly calls: readonly [PlannedCall, ...PlannedCall[]]
  /** Null when the account itself pays none. */
  readonly fee: FeeEstimate | null
  readonly balance: bigint
  /** How many transactions the account has sent; null for a multi-owner wallet. */
  readonly nonce: number | null
  /** The block at which it was simulated successfully. */
  readonly block: number | null
  readonly agreed: Extract<Reading, { state: 'agreed' }>['quorum']
  /** Of the simulation's certificate. */
  readonly certificateId: string | null
  /** What any other call of a contract changes, and what several calls change together. */
  readonly changes: readonly Change[] | null
  /** Set where what the visitor wants takes several calls. */
  readonly steps?: Steps
}

/** Calls of which each is reviewed and sent once the one before is confirmed. */
export interface Steps {
  readonly intents: readonly Intent[]
  /** The index of the one that is planned. */
  readonly current: number
  /** The revocation that a token requires before a new allowance, and the amount of the current allowance. */
  readonly allowance?: { readonly revocation: Intent; readonly units: bigint } | undefined
}

/** The plan of one of several steps. A revocation that it needs is one more step. */
export function asStep(plan: Plan, { intents, current, allowance }: Steps): Plan {
  const own = plan.steps ?? { intents: intents.slice(current, current + 1), allowance }
  return {
    ...plan,
    steps: {
      intents: intents.toSpliced(current, 1, ...own.intents),
      current,
      allowance: own.allowance,
    },
  }
}

/**
 * `refused`: the token answers that it does not do it. `unreadable`: it answers neither yes nor no. `no-effect`: it says yes and
 * does nothing. `cannot-receive`: a contract that does not take the coin. `no-contract`: nothing would run.
 */
export type PlanFault =
  | 'funds'
  | 'reverts'
  | 'refused'
  | 'unreadable'
  | 'no-effect'
  | 'cannot-receive'
  | 'no-contract'

export type Planned =
  | { readonly plan: Plan }
  /** `step` counts from 1, where one of several calls is at fault. */
  | { readonly fault: PlanFault; readonly revert?: Hex | undefined; readonly step?: number }
  | { readonly refused: ReadFailure }

export type Unlabelled = Omit<Intent, 'token'>

/** Whether too few nodes could be reached for a protected result: those that are left may all lie. */
export function isThinPlan(planned: Planned): boolean {
  return 'refused' in planned && (planned.refused === 'thin' || planned.refused === 'silent')
}

/** Once more where nodes were out of reach, because they may have been slow for a moment. */
export async function planTwice<Plans extends Planned | null>(plan: () => Promise<Plans>): Promise<Plans> {
  const planned = await plan()
  return planned && isThinPlan(planned) ? plan() : planned
}

/** Plans a transaction of one call. */
export function planSend(wish: Unlabelled, readCalls: ReadCalls): Promise<Planned> {
  return planTwice(() => planOnce(wish, readCalls))
}

const everythingTriesMax = 3

/** Plans to send all that the balance and the highest fee leave. Both are read first; the fee may have risen until it is planned. */
export async function planEverything(wish: Unlabelled, readCalls: ReadCalls): Promise<Planned> {
  let planned = await planSend({ ...wish, value: 0n }, readCalls)
  for (let tries = 0; tries < everythingTriesMax && 'plan' in planned; tries += 1) {
    const { balance, fee } = planned.plan
    const value = balance - (fee?.max ?? 0n)
    if (value <= 0n) return { fault: 'funds' }
    const whole = await planSend({ ...wish, value }, readCalls)
    if (!('fault' in whole) || whole.fault !== 'funds') return whole
    planned = await planSend({ ...wish, value: 0n }, readCalls)
  }
  return 'plan' in planned ? { fault: 'funds' } : planned
}

/** Reads all that it needs at one agreed block and simulates it there. What the page showed before is not used: it may be stale. */
async function planOnce(wish: Unlabelled, readCalls: ReadCalls): Promise<Planned> {
  const intent = await labelled(wish, readCalls)
  if ('refused' in intent) return intent
  const meaning = meaningOf(intent)
  const readings = await read(intent, meaning, readCalls)
  const { balance, tried, estimate, partyCode, code } = readings
  const funds = agreedUnits(balance)
  if (funds !== null && funds < intent.value) return { fault: 'funds' }
  const failure = failureOf([balance, tried, estimate, partyCode, code, ...readings.fee])
  if (failure !== null) return { refused: failure }
  const effect = readSimulation(readings.simulated)
  const fault =
    faultOf({
      meaning,
      isRun: tried?.state === 'agreed' && estimate?.state === 'agreed',
      returned: agreedValue(tried),
      code: code ?? partyCode,
      partyCode,
    }) ?? (effect && isToken(meaning) && isIdle(meaning, effect, intent.from) ? 'no-effect' : null)
  const allowance = agreedUnits(readings.allowance) ?? 0n
  if (fault !== null) {
    const failed = { fault, revert: fault === 'reverts' ? revertOf(readings.simulated) : undefined }
    return isBarred(meaning, allowance) ? planRevocation(intent, { allowance, failed, readCalls }) : failed
  }
  const changes =
    meaning.kind === 'call' ? await simulateChanges([intent], readings.simulated, readCalls) : null
  const planned = priced({
    calls: [{ intent, meaning, effect, toContract: isContract(partyCode) }],
    gas: agreedUnits(estimate),
    funds,
    fees: readings.fee,
    nonce: readings.nonce,
    simulated: tried,
    changes,
  })
  const isShort = 'plan' in planned && planned.plan.balance < intent.value + (planned.plan.fee?.max ?? 0n)
  return isShort ? { fault: 'funds' } : planned
}

/** With the label of the token that is called. */
export async function labelled(
  wish: Unlabelled,
  readCalls: ReadCalls,
): Promise<Intent | { readonly refused: ReadFailure }> {
  if (!isToken(decodeCall(wish))) return wish
  const readings = await readCalls(labelQuestions(wish.to))
  const failure = failureOf(readings)
  if (failure !== null) return { refused: failure }
  const [decimals, symbol] = readings.map(agreedValue)
  const token = readLabel(decimals, symbol)
  return token === null ? wish : { ...wish, token }
}

/** Why there is no agreed answer to one of these. That the chain refuses a call is an answer. */
export function failureOf(readings: readonly (Reading | undefined)[]): ReadFailure | null {
  const failure = readings.find((reading) => reading?.state === 'refused' && reading.why !== 'refused')
  return failure?.state === 'refused' ? failure.why : null
}

async function read({ hasOwners, ...intent }: Intent, meaning: Meaning, readCalls: ReadCalls) {
  const { from, to, value, data } = intent
  const call = { from, to, value: toHex(value), ...(data !== '0x' && { data }) }
  const allowance = meaning.kind === 'approve' ? effectReads(meaning, from)[0] : undefined
  const calls = {
    balance: { method: 'eth_getBalance', params: [from, 'latest'] },
    nonce: hasOwners ? null : { method: 'eth_getTransactionCount', params: [from, 'latest'] },
    tried: { method: 'eth_call', params: [call, 'latest'] },
    estimate: { method: 'eth_estimateGas', params: [call] },
    // Of the recipient or spender, and of the token that is called.
    partyCode: { method: 'eth_getCode', params: ['party' in meaning ? meaning.party : to, 'latest'] },
    code: isToken(meaning) ? { method: 'eth_getCode', params: [to, 'latest'] } : null,
    allowance: allowance ? { method: 'eth_call', params: [allowance, 'latest'] } : null,
    simulated: meaning.kind === 'call' ? changesQuestion([intent]) : simulateQuestion(intent),
  } satisfies Readonly<Record<string, ReadCall | null>>
  const named = Object.entries(calls).filter((entry): entry is [string, ReadCall] => entry[1] !== null)
  const allCalls = [...named.map(([, readCall]) => readCall), ...(hasOwners ? [] : feeQuestions(data))]
  const readings = await readCalls(allCalls)
  const byName: Partial<Record<keyof typeof calls, Reading>> = Object.fromEntries(
    named.map(([name], index) => [name, readings[index]]),
  )
  return { ...byName, fee: readings.slice(named.length) }
}

/** One call as it was tried. */
interface Tried {
  readonly meaning: Meaning
  readonly isRun: boolean
  readonly returned: unknown
  /** Of what is called, and of the recipient or spender. */
  readonly code: Reading | undefined
  readonly partyCode: Reading | undefined
}

/** Why a call would fail. One that does not revert may still have failed. */
export function faultOf({ meaning, isRun, returned, code, partyCode }: Tried): PlanFault | null {
  if (!isRun) return meaning.kind === 'pay' && isContract(partyCode) ? 'cannot-receive' : 'reverts'
  if (meaning.kind === 'pay') return null
  if (!isContract(code)) return 'no-contract'
  const outcome = isToken(meaning) ? readOutcome(returned) : 'done'
  return outcome === 'done' ? null : outcome
}

/** Whether the simulated call left everything as it was, though it was to change something. */
function isIdle(meaning: TokenMeaning, effect: Effect, from: `0x${string}`): boolean {
  const { kind, amount, party } = meaning
  const changed = amountOf(meaning, effect)
  if (kind === 'approve') return !isSameAllowance(changed, amount) && changed === effect.before[0]
  return amount > 0n && party.toLowerCase() !== from.toLowerCase() && changed <= 0n
}

/** Whether a standing allowance may be why an approval fails: some tokens want it revoked first. */
function isBarred(meaning: Meaning, allowance: bigint): meaning is TokenMeaning {
  return meaning.kind === 'approve' && meaning.amount > 0n && allowance > 0n
}

/** The revocation that makes the approval possible, if it succeeds itself. */
async function planRevocation(
  intent: Intent,
  { allowance, failed, readCalls }: { allowance: bigint; failed: Planned; readCalls: ReadCalls },
): Promise<Planned> {
  const { party } = decodeCall(intent) as TokenMeaning
  const planned = await planOnce({ ...intent, data: tokenCall('approve', party, 0n) }, readCalls)
  if ('fault' in planned) return planned.fault === 'funds' ? planned : failed
  if (!('plan' in planned)) return planned
  const revocation = planned.plan.calls[0].intent
  const steps = { intents: [revocation, intent], current: 0, allowance: { revocation, units: allowance } }
  return { plan: { ...planned.plan, steps } }
}

interface Priced extends Pick<Plan, 'calls' | 'changes'> {
  readonly gas: bigint | null
  readonly funds: bigint | null
  /** Answers to `feeQuestions`. */
  readonly fees: readonly Reading[]
  readonly nonce: Reading | undefined
  /** What showed that they succeed. */
  readonly simulated: Reading | undefined
}

/** The plan with its fee, where all that it takes was read. */
export function priced({ calls, changes, gas, funds, fees, nonce, simulated }: Priced): Planned {
  const [{ intent }] = calls
  if (simulated?.state !== 'agreed' || funds === null || gas === null) return { refused: 'silent' }
  const fee = intent.hasOwners ? null : feeOf(gas, fees)
  const sent = intent.hasOwners ? null : toNumber(agreedValue(nonce))
  if (fee === undefined || (fee !== null && sent === null)) return { refused: 'silent' }
  return {
    plan: {
      calls,
      fee,
      balance: funds,
      nonce: sent,
      block: simulated.block,
      agreed: simulated.quorum,
      certificateId: simulated.answer,
      changes,
    },
  }
}

/** The part of a plan that is kept, to compare with what is included. */
export function reviewedOf({ intent, meaning, effect }: PlannedCall): Reviewed {
  const { from, to, value, data, token } = intent
  const isToOther = meaning.kind === 'transfer' && meaning.party.toLowerCase() !== from.toLowerCase()
  const gain = isToOther && effect ? amountOf(meaning, effect) : undefined
  return {
    to,
    value: toHex(value),
    data,
    ...(token && { token }),
    ...(gain !== undefined && { gain: toHex(gain) }),
  }
}
