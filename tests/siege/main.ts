import { parseArgs } from 'node:util'
import { startHost } from '../support/host.ts'
import { attacks } from './attacks.ts'
import { besiege, type Row } from './siege.ts'
import { startStage } from './stage.ts'

/**
 * `npm run siege -- --host node|edge --seconds 8 [--attack pages]`: runs each attack against its own host on loopback, together with
 * honest callers. Prints their results, and exits with 1 if one exceeds a limit below. Uses the existing build.
 */
const { values } = parseArgs({
  options: {
    host: { type: 'string', default: 'node' },
    seconds: { type: 'string', default: '8' },
    attack: { type: 'string', default: '' },
  },
})

/** Failed honest calls. One may fail when an attack starts. */
const failureShareMax = 0.02
/** Latency of honest calls, on a machine with two cores that also runs the attack. */
const p95MsMax = 1_000

const warmUpSeconds = 4

const kind = values.host === 'edge' ? 'edge' : 'node'
const { nodes, config } = await startStage()
const { host, pid } = await startHost(kind, { config })
process.on('exit', () => host.signal('SIGKILL'))
const besieged = { port: host.port, pid, chainId: 137, pages: true }

const names = (Object.keys(attacks) as (keyof typeof attacks)[]).filter((name) =>
  name.includes(values.attack),
)
console.log(
  `${kind} host, ${values.seconds} s each; honest: 10 calls and 2 pages a second\n${line('attack', 'calls p50', 'p95', 'of peace', 'failed', 'pages p50', 'p95', 'failed', 'MB', 'files')}`,
)
// Without a warm-up, one-time work such as compiling would count in the baseline.
await besiege(besieged, null, { seconds: warmUpSeconds })
const rows: Row[] = []
for (const name of [null, ...names]) {
  const row = await besiege(besieged, name, { seconds: Number(values.seconds) })
  const { calls, pages } = row
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const of = ({ failures, sent }: typeof calls) => `${failures}/${sent}`
  console.log(
    line(
      row.attack,
      ms(calls.p50Ms),
      ms(calls.p95Ms),
      `${(calls.p95Ms / (rows[0] ?? row).calls.p95Ms).toFixed(1)} x`,
      of(calls),
      ms(pages.p50Ms),
      ms(pages.p95Ms),
      of(pages),
      row.rssMb.toFixed(0),
      String(row.files),
    ),
  )
  rows.push(row)
}
const broken = rows.filter(
  ({ calls }) => calls.failures > calls.sent * failureShareMax || !(calls.p95Ms <= p95MsMax),
)
for (const { attack } of broken)
  console.log(`BROKEN  ${attack}: more than ${failureShareMax} failed, or p95 above ${p95MsMax} ms`)
process.exitCode = broken.length === 0 ? 0 : 1
await nodes.stop()
process.exit()

function line(what: string, ...figures: readonly string[]): string {
  return what.padEnd(36) + figures.map((figure) => figure.padStart(10)).join('')
}
