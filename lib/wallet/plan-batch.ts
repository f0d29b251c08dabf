import type { ReadCall, ReadCalls, Reading } from '#lib/page/reading.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { changesQuestion, readRuns, revertOf } from './changes.ts'
import { effectReads } from './effect.ts'
import { feeOf, feeQuestions } from './fee.ts'
import { agreedValue, quantityOf } from './find-by-nonce.ts'
import { isToken, type Meaning, meaningOf } from './meaning.ts'
import {
  failureOf,
  type Intent,
  isThinPlan,
  labelled,
  type PlanFault,
  type Planned,
  simulateChanges,
  type Unlabelled,
} from './plan.ts'
import { isContract, readOutcome, unitsOf } from './plan-readings.ts'

type Several = readonly [Intent, ...Intent[]]

/**
 * Plans several calls that are carried out as one: each is simulated on the state that the calls before leave. Null where the nodes
 * cannot simulate that. An allowance that a token wants revoked first is one more call.
 */
export async function planBatch(
  wishes: readonly Unlabelled[],
  readCalls: ReadCalls,
): Promise<Planned | null> {
  const intents = await Promise.all(wishes.map((wish) => labelled(wish, readCalls)))
  const failed = intents.find((intent) => 'refused' in intent)
  if (failed) return failed
  const [first, ...others] = intents as Intent[]
  if (first === undefined) return null
  const planned = await planOnce([first, ...others], readCalls)
  return planned && isThinPlan(planned) ? planOnce([first, ...others], readCalls) : planned
}

async function planOnce(intents: Several, readCalls: ReadCalls): Promise<Planned | null> {
  const [first] = intents
  const meanings = intents.map(meaningOf)
  const [balance, nonce, simulated, ...rest] = await readCalls(questionsOf(intents, meanings))
  const codes = rest.slice(0, 2 * intents.length)
  const funds = unitsOf(balance)
  const value = intents.reduce((sum, intent) => sum + intent.value, 0n)
  if (funds !== null && funds < value) return { fault: 'funds' }
  const failure = failureOf([balance, ...rest])
  if (failure !== null) return { refused: failure }
  const runs = readRuns(simulated)
  if (simulated?.state !== 'agreed' || runs.length !== intents.length || funds === null) return null
  const calls = intents.map((intent, index) => ({
    intent,
    meaning: meanings[index] as Meaning,
    run: runs[index],
    code: codes[2 * index],
    partyCode: codes[2 * index + 1],
  }))
  const faults = calls.map(faultOf)
  const failed = faults.findIndex((fault) => fault !== null)
  const fault = faults[failed]
  if (fault)
    return (
      (await revokeFirst(intents, failed, readCalls)) ?? {
        fault,
        step: failed + 1,
        // The coin is read before the calls.
        revert: fault === 'reverts' ? revertOf(simulated, 1 + failed) : undefined,
      }
    )
  const gas = runs.reduce((sum, { gasUsed }) => sum + BigInt(quantityOf(gasUsed) ?? 0), 0n)
  const fee = first.hasOwners ? null : feeOf(gas, rest.slice(codes.length))
  if (fee === undefined) return { refused: 'silent' }
  const batch = calls.map(({ intent, meaning, partyCode }) => ({
    intent,
    meaning,
    toContract: isContract(partyCode),
    effect: null,
  }))
  const [own = null] = batch
  return (
    own && {
      plan: {
        ...own,
        batch,
        fee,
        balance: funds,
        nonce: first.hasOwners ? null : quantityOf(agreedValue(nonce)),
        block: simulated.block,
        agreed: simulated.quorum,
        certificateId: simulated.answer,
        changes: await simulateChanges(intents, simulated, readCalls),
      },
    }
  )
}

function questionsOf(intents: Several, meanings: readonly Meaning[]): readonly ReadCall[] {
  const [{ from, hasOwners }] = intents
  const code = (address: string) => ({ method: 'eth_getCode', params: [address, 'latest'] })
  const data = `0x${intents.map((intent) => intent.data.slice(2)).join('')}` as const
  return [
    { method: 'eth_getBalance', params: [from, 'latest'] },
    { method: 'eth_getTransactionCount', params: [from, 'latest'] },
    changesQuestion(intents),
    ...intents.flatMap(({ to }, index) => {
      const meaning = meanings[index]
      return [code(to), code(meaning && 'party' in meaning ? meaning.party : to)]
    }),
    ...(hasOwners ? [] : feeQuestions(data)),
  ]
}

interface Ran {
  readonly meaning: Meaning
  readonly run: Readonly<Record<string, unknown>> | undefined
  readonly code: Reading | undefined
  readonly partyCode: Reading | undefined
}

function faultOf({ meaning, run, code, partyCode }: Ran): PlanFault | null {
  if (run?.status !== '0x1')
    return meaning.kind === 'pay' && isContract(partyCode) ? 'cannot-receive' : 'reverts'
  if (meaning.kind === 'pay') return null
  if (!isContract(code)) return 'no-contract'
  const outcome = isToken(meaning) ? readOutcome(run.returnData) : 'done'
  return outcome === 'done' ? null : outcome
}

/** The plan with a revocation before the approval at this index, if that is what it lacks. */
async function revokeFirst(intents: Several, index: number, readCalls: ReadCalls): Promise<Planned | null> {
  const intent = intents[index] as Intent
  const meaning = meaningOf(intent)
  if (meaning.kind !== 'approve' || meaning.amount === 0n) return null
  const reads = effectReads(meaning, intent.from).map((read) => ({
    method: 'eth_call',
    params: [read, 'latest'],
  }))
  const [reading] = await readCalls(reads)
  const allowance = unitsOf(reading)
  if (allowance === null || allowance === 0n) return null
  const revocation = { ...intent, data: tokenCall('approve', meaning.party, 0n) }
  const before = intents[index - 1]
  if (before?.to === revocation.to && before.data === revocation.data) return null
  const all = intents.toSpliced(index, 0, revocation)
  const planned = await planOnce(all as unknown as Several, readCalls)
  if (!planned || !('plan' in planned)) return null
  const { plan } = planned
  return { plan: { ...plan, steps: plan.steps ?? { intents: all, current: all.length - 1, allowance } } }
}
