import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeVersions, npmVersions, prepareMachine } from './machine.ts'
import { type Trial, tryOut } from './trial.ts'

/**
 * `npm run fresh`: the first command in a fresh clone of HEAD, with the oldest and the newest npm and Node, once as another user. `--all`
 * takes every pair, as root and as another user, and `--demo` starts the demo in the first one. Needs the registry. It removes everything
 * that it adds to the machine.
 */
const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, demo: { type: 'boolean', default: false } },
})
const root = join(import.meta.dirname, '../..')
const oldestAndNewest = <Version>(all: readonly Version[]) => [...all.slice(0, 1), ...all.slice(-1)]
const versions = values.all
  ? { npm: npmVersions, node: nodeVersions }
  : { npm: oldestAndNewest(npmVersions), node: oldestAndNewest(nodeVersions) }
const machine = await prepareMachine(root, versions)
const stranger = typeof machine.stranger === 'object' ? machine.stranger : null
if (typeof machine.stranger === 'string') console.log(`not tried as another user: ${machine.stranger}`)

const trials = values.all ? everyTrial() : twoTrials()
let failed = 0
process.on('exit', machine.leave)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const queue = trials.map((trial, index) => ({ ...trial, demo: values.demo && index === 0 }))
// An install spends half of its time waiting for the registry.
await Promise.all([work(queue), work(queue)])
console.log(`\n${trials.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function work(queue: Trial[]): Promise<void> {
  for (let trial = queue.shift(); trial !== undefined; trial = queue.shift()) {
    const startedAt = Date.now()
    const { ok, what } = await tryOut(trial, machine, root).catch((cause) => ({
      ok: false,
      what: String(cause),
    }))
    if (!ok) failed++
    const { npm, node, user } = trial
    const userName = user === null ? `as ${stranger === null ? 'ourselves' : 'root'}` : 'as another user'
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    const name = `npm ${npm}, Node ${node}, ${userName}`
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}: ${what} (${seconds} s)`)
  }
}

function twoTrials(): readonly Trial[] {
  return [
    { npm: npmVersions[0], node: nodeVersions[0], user: null, demo: false },
    { npm: npmVersions[2], node: nodeVersions[2], user: stranger, demo: false },
  ]
}

function everyTrial(): readonly Trial[] {
  const users = stranger === null ? [null] : [null, stranger]
  return users.flatMap((user) =>
    npmVersions.flatMap((npm) => nodeVersions.map((node) => ({ npm, node, user, demo: false }))),
  )
}
