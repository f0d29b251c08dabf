import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type FreshRun, tryOut } from './fresh-run.ts'
import { prepareMachine } from './machine.ts'

/**
 * `npm run fresh`: the first command in a fresh clone of HEAD, with the oldest and the newest npm and Node, the latter as another user.
 * `--demo` starts the demo in the first one. Needs the registry. It removes everything that it adds to the machine.
 */
const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '../..')
/** Debian's npm and Node 20, and those of Node 24. */
const tools = [
  { npm: '9.9.4', node: '20.20.2' },
  { npm: '11.21.2', node: '24.21.0' },
] as const
const machine = await prepareMachine(root, tools)
process.on('exit', machine.leave)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
const { stranger } = machine
if (typeof stranger === 'string') console.log(`not tried as another user: ${stranger}`)

// An install spends half of its time waiting for the registry.
const passed = await Promise.all([
  report({ ...tools[0], user: null, demo: values.demo }),
  report({ ...tools[1], user: typeof stranger === 'object' ? stranger : null, demo: false }),
])
const failed = passed.filter((isGood) => !isGood).length
console.log(`\n${passed.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function report(trial: FreshRun): Promise<boolean> {
  const startedAt = Date.now()
  const fault = await tryOut(trial, machine, root).catch(String)
  const { npm, node, user } = trial
  const name = `npm ${npm}, Node ${node}, as ${user === null ? 'ourselves' : 'another user'}`
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`${fault === null ? 'ok    ' : 'FAILED'} ${name}: ${fault ?? 'ready'} (${seconds} s)`)
  return fault === null
}
