import { toNumber } from '#lib/page/quantity.ts'
import type { ReadCall, ReadCalls } from '#lib/page/reading.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { changesQuestion, readRuns, revertOf, simulateChanges } from './changes.ts'
import { readLogs } from './compare.ts'
import { effectReads, loggedEffect } from './effect.ts'
import { feeQuestions } from './fee.ts'
import { isToken, type Meaning, meaningOf } from './meaning.ts'
import {
  failureOf,
  faultOf,
  type Intent,
  labelled,
  type Plan,
  type Planned,
  type PlannedCall,
  planTwice,
  priced,
  type Unlabelled,
} from './plan.ts'
import { agreedUnits, isContract } from './plan-readings.ts'

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
  return planTwice(() => planOnce([first, ...others], readCalls))
}

async function planOnce(intents: Several, readCalls: ReadCalls): Promise<Planned | null> {
  const meanings = intents.map(meaningOf)
  const [balance, nonce, simulated, ...rest] = await readCalls(questionsOf(intents, meanings))
  const codes = rest.slice(0, 2 * intents.length)
  const funds = agreedUnits(balance)
  const value = intents.reduce((sum, intent) => sum + intent.value, 0n)
  if (funds !== null && funds < value) return { fault: 'funds' }
  const failure = failureOf([balance, ...rest])
  if (failure !== null) return { refused: failure }
  const runs = readRuns(simulated)
  if (simulated?.state !== 'agreed' || runs.length !== intents.length || funds === null) return null
  const faults = meanings.map((meaning, index) => {
    const [run, code, partyCode] = [runs[index], codes[2 * index], codes[2 * index + 1]]
    return faultOf({ meaning, isRun: run?.status === '0x1', returned: run?.returnData, code, partyCode })
  })
  const failed = faults.findIndex((fault) => fault !== null)
  const fault = faults[failed]
  if (fault) {
    // The coin is read before the calls.
    const revert = fault === 'reverts' ? revertOf(simulated, 1 + failed) : undefined
    return (await revokeFirst(intents, failed, readCalls)) ?? { fault, step: failed + 1, revert }
  }
  const calls = intents.map((intent, index): PlannedCall => {
    const toContract = isContract(codes[2 * index + 1])
    const meaning = meanings[index] as Meaning
    const effect = isToken(meaning) ? loggedEffect(meaning, intent.from, readLogs(runs[index])) : null
    return { intent, meaning, toContract, effect }
  })
  return priced({
    calls: calls as unknown as Plan['calls'],
    gas: runs.reduce((sum, { gasUsed }) => sum + BigInt(toNumber(gasUsed) ?? 0), 0n),
    funds,
    fees: rest.slice(codes.length),
    nonce,
    simulated,
    changes: await simulateChanges(intents, simulated, readCalls),
  })
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
  const units = agreedUnits(reading)
  if (units === null || units === 0n) return null
  const revocation = { ...intent, data: tokenCall('approve', meaning.party, 0n) }
  const before = intents[index - 1]
  if (before?.to === revocation.to && before.data === revocation.data) return null
  const all = intents.toSpliced(index, 0, revocation)
  const planned = await planOnce(all as unknown as Several, readCalls)
  if (!planned || !('plan' in planned)) return null
  const { plan } = planned
  const steps = { intents: all, current: all.length - 1, allowance: { revocation, units } }
  return { plan: { ...plan, steps: plan.steps ?? steps } }
}
