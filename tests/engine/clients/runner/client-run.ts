import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoAccount, keyOf } from '../../../../demo/accounts.ts'
import type { Keeper } from '../../../../demo/keeper.ts'
import { runCommand } from '../../../support/run-command.ts'
import { explains } from './differences.ts'
import { type Driver, driverEnv, prepare } from './drivers.ts'
import { type Situation, situations } from './situations.ts'
import { compare, type Difference, type Step, stepsIn } from './steps.ts'
import { chainId, type Side, startPair } from './world.ts'

/** The results of a client. */
export interface ClientRun {
  readonly name: string
  readonly same: number
  /** Number of different steps. */
  readonly differing: number
  /** Names of their explanations. */
  readonly explained: readonly string[]
  readonly unexplained: readonly Difference[]
  /** Its error in each situation; null if not tested. */
  readonly shown: Readonly<Record<Situation, string>> | null
  /** Failures of the driver itself. */
  readonly faults: readonly string[]
}

const runMsMax = 180_000
/** Longer than the retries of any client, except for those that follow Retry-After. */
const troubleMsMax = 20_000

/** Runs one driver against chain and gateway, then in each error situation. */
export async function tryOut(
  driver: Driver,
  { keeper, troubled }: { keeper: Keeper; troubled: Readonly<Record<Situation, Side>> },
): Promise<ClientRun> {
  const folder = await prepare(driver)
  const faults: string[] = []
  const run = async (side: Side, label: string, { steps = '', msMax = runMsMax } = {}) => {
    const facts = mkdtempSync(join(tmpdir(), 'clients-'))
    writeFileSync(join(facts, 'facts.json'), JSON.stringify(side.facts))
    const env = { ...(steps !== '' && { STEPS: steps }), ...environment(side, join(facts, 'facts.json')) }
    const { code, output, errors } = await runCommand(driver.run, { cwd: folder, env, msMax })
    rmSync(facts, { recursive: true, force: true })
    if (code !== 0 && !(steps !== '' && code === null))
      faults.push(`${label}: ended with ${code ?? 'its time up'}: ${errors.trim().slice(-2000)}`)
    return stepsIn(output, side.url)
  }

  const { direct, through } = await compared(keeper, run)
  const inTrouble = async (situation: Situation) => {
    const goesOn = situation === 'lost quorum' && driver.stillUsable
    const steps = goesOn ? 'balance,stillUsable' : 'balance'
    const msMax = goesOn ? runMsMax : troubleMsMax
    const reported = await run(troubled[situation], situation, { steps, msMax })
    const usable = reported.get('stillUsable')
    if (usable?.ok === false) faults.push(`not usable after a lost quorum: ${usable.error.message}`)
    const after = usable?.ok ? `. ${usable.value}` : ''
    return [situation, `${inWords(reported.get('balance'))}${after}`] as const
  }
  const shown = driver.trouble ? Object.fromEntries(await Promise.all(situations.map(inTrouble))) : null
  const { same, differences } = compare(direct, through)
  if (direct.size === 0) faults.push('it printed no step')
  return {
    name: driver.name,
    same: same.length,
    ...judged(differences, through),
    shown: shown as Record<Situation, string> | null,
    faults,
  }
}

/** The same run against a chain and against the gateway, in parallel. */
async function compared(
  keeper: Keeper,
  run: (side: Side, label: string) => Promise<ReadonlyMap<string, Step>>,
) {
  const { chain, gateway } = await startPair(keeper)
  try {
    const [direct, through] = await Promise.all([run(chain, 'chain'), run(gateway, 'gateway')])
    return { direct, through }
  } finally {
    await Promise.all([chain.stop(), gateway.stop()])
  }
}

export function environment({ url }: Side, facts: string): NodeJS.ProcessEnv {
  return {
    ...driverEnv,
    RPC_URL: url,
    CHAIN_ID: String(chainId),
    PRIVATE_KEY: keyOf(demoAccount(9)),
    FACTS: facts,
  }
}

function judged(differences: readonly Difference[], gateway: ReadonlyMap<string, Step>) {
  const reasons = differences.map((difference) => explains(difference, gateway.get(difference.step)))
  return {
    differing: new Set(differences.map(({ step }) => step)).size,
    explained: [...new Set(reasons)].filter((reason) => reason !== undefined).sort(),
    unexplained: differences.filter((_, index) => reasons[index] === undefined),
  }
}

const messageCharsMax = 160

/** What user code sees, in one line. */
function inWords(step: Step | undefined): string {
  if (step === undefined) return `waits longer than ${troubleMsMax / 1000} s`
  if (step.ok) return `answers ${JSON.stringify(step.value)}`
  const { type, code, message } = step.error
  const first = message.replaceAll(/\s+/g, ' ').slice(0, messageCharsMax)
  const coded = code === null || code === undefined ? '' : `, code ${String(code)}`
  return `\`${type ?? 'error'}\`${coded}: ${first}`
}
