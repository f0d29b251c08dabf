import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startKeeper } from '../../../demo/keeper.ts'
import { root, secondsSince } from '../../../scripts/steps.ts'
import { type ClientRun, tryOut } from './runner/client-run.ts'
import { allDrivers, type Driver, missing, prepareSupport } from './runner/drivers.ts'
import { type Listened, listenThrough } from './runner/listening.ts'
import { idleExplanations, withTrials } from './runner/page.ts'
import { startTroubled } from './runner/situations.ts'

/**
 * `npm run clients`: runs each client in `drivers/` against a chain and against the gateway in front of an identical chain.
 * Every difference must be explained. `--quick` runs those of `npm test`, names run only these. Checks the tables in
 * tests/engine/clients/results.md, or writes them with UPDATE_DOCS=1.
 */
const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const path = join(root, 'tests/engine/clients/results.md')
const wanted = callerControlled(allDrivers())
const leftOut = wanted.filter((driver) => missing(driver).length > 0)
for (const driver of leftOut) console.log(`left out  ${driver.name}: needs ${missing(driver).join(', ')}`)

await prepareSupport()
const keeper = startKeeper()
const troubled = await startTroubled(keeper)
const trials: ClientRun[] = []
const faults: string[] = []
const listened: Listened[] = []
const count = { passed: 0, failed: 0 }
const queue = wanted.filter((driver) => !leftOut.includes(driver))
// A client spends half of its time waiting for answers, so two at a time are as fast as one.
await Promise.all([work(), work()])
await troubled.stop()
await listen()
keeper.close()
judgePage()

for (const fault of faults) console.error(`\nFAILED ${fault}`)
console.log(`\n${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed === 0 && trials.length > 0 ? 0 : 1

async function work(): Promise<void> {
  for (let driver = queue.shift(); driver !== undefined; driver = queue.shift()) await tried(driver)
}

async function tried(driver: Driver): Promise<void> {
  const startedAt = Date.now()
  const trial = await tryOut(driver, { keeper, troubled: troubled.sides }).catch((cause: Error) => cause)
  if (!(trial instanceof Error)) trials.push(trial)
  const found = trial instanceof Error ? [trial.message] : faultsOf(trial)
  const counts = trial instanceof Error ? '' : `${trial.same} steps alike, ${trial.differing} explained, `
  count[found.length === 0 ? 'passed' : 'failed'] += 1
  faults.push(...found.map((fault) => `${driver.name}: ${fault}`))
  const word = found.length === 0 ? 'ok       ' : 'FAILED   '
  console.log(`${word} ${driver.name}: ${counts}${found.length} faults (${secondsSince(startedAt)})`)
}

async function listen(): Promise<void> {
  const listening = wanted.filter((driver) => driver.listen !== null && !leftOut.includes(driver))
  if (listening.length === 0) return
  const startedAt = Date.now()
  listened.push(...(await listenThrough(listening, keeper)))
  const found = listened.flatMap(({ name, faults: own }) => own.map((fault) => `${name}: ${fault}`))
  count[found.length === 0 ? 'passed' : 'failed'] += 1
  faults.push(...found)
  const names = listening.map(({ folder }) => folder).join(', ')
  console.log(`subscriptions of ${names}: ${found.length} faults (${secondsSince(startedAt)})`)
}

function faultsOf({ faults: own, unexplained }: ClientRun): readonly string[] {
  return [...own, ...unexplained.map((difference) => JSON.stringify(difference).slice(0, 2000))]
}

/** The page must match the results. */
function judgePage(): void {
  const page = readFileSync(path, 'utf8')
  const current = withTrials(page, trials, listened)
  const found = idleExplanations(current, trials).map((idle) => `explained, but not seen any more: ${idle}`)
  if (process.env.UPDATE_DOCS === '1') writeFileSync(path, current)
  else if (current !== page)
    found.push(
      `tests/engine/clients/results.md is not what was seen; UPDATE_DOCS=1 writes it:\n${changes(page, current)}`,
    )
  count[found.length === 0 ? 'passed' : 'failed'] += 1
  faults.push(...found)
}

function changes(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const [gone, come] = [old.filter((line) => !now.includes(line)), now.filter((line) => !old.includes(line))]
  return [...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)].join('\n')
}

function callerControlled(drivers: readonly Driver[]): readonly Driver[] {
  const unknown = positionals.find((name) => !drivers.some(({ folder }) => folder === name))
  if (unknown !== undefined) {
    console.error(
      `There is no driver ${unknown}; there are: ${drivers.map(({ folder }) => folder).join(', ')}.`,
    )
    process.exit(2)
  }
  if (positionals.length > 0) return drivers.filter(({ folder }) => positionals.includes(folder))
  return values.quick ? drivers.filter(({ quick }) => quick) : drivers
}
