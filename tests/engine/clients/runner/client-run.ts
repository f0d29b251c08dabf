import type { Keeper } from '../../../../demo/keeper.ts'
import { runCommand } from '../../../support/run-command.ts'
import { explains } from './differences.ts'
import { type Driver, driverEnv, prepare } from './drivers.ts'
import { type Situation, situations } from './situations.ts'
import { compare, type Difference, type Step, stepsIn } from './steps.ts'
import { type Side, startPair } from './world.ts'

/** The results of a client. */
export type ClientRun = Awaited<ReturnType<typeof tryOut>>

const runMsMax = 180_000
/** Longer than the retries of any client, except for those that follow Retry-After. */
const troubleMsMax = 20_000

/** Runs one driver against chain and gateway, then in each error situation. */
export async function tryOut(
  driver: Driver,
  { keeper, troubled }: { keeper: Keeper; troubled: Readonly<Record<Situation, Side>> },
) {
  const folder = await prepare(driver)
  const faults: string[] = []
  const run = async (side: Side, label: string, { steps = '', msMax = runMsMax } = {}) => {
    const env = { ...driverEnv, ...side.env, ...(steps !== '' && { STEPS: steps }) }
    const { code, output, errors } = await runCommand(driver.run, { cwd: folder, env, msMax })
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
    /** Its error in each situation; null if not tested. */
    shown: shown as Record<Situation, string> | null,
    /** Failures of the driver itself. */
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

function judged(differences: readonly Difference[], gateway: ReadonlyMap<string, Step>) {
  const reasons = differences.map((difference) => explains(difference, gateway.get(difference.step)))
  return {
    /** Number of different steps. */
    differing: new Set(differences.map(({ step }) => step)).size,
    /** Names of their explanations. */
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
