import { parseEnv } from '#lib/config/env.ts'
import { createObserver } from '#lib/observe/observer.ts'
import { createTracer } from '#lib/observe/otlp.ts'
import { createRedactor } from '#lib/observe/redact.ts'
import { createSampling, createTrace } from '#lib/observe/trace.ts'
import { createTraced } from '#lib/observe/traced.ts'
import { createGateway, parseConfig, type Send, systemClock } from '#rpc-proxy'
import { blockAt } from '../support/scripted-chain.ts'
import { spreadOf } from './load.ts'
import { startPeer, stopAll } from './processes.ts'
import { requestOf } from './request.ts'

const rounds = 5
const callsPerRound = 4000
/** Fewer spans than the processor holds, so that none is dropped unsent. */
const callsPerFlush = 400
const ratios = [null, 0.01, 1] as const

/** Processor time of a call that two nodes are asked for, without tracing, with one request in a hundred traced, and with all of them; export included. */
export async function benchTrace(): Promise<void> {
  try {
    const sink = await startPeer('sink.ts')
    const cases = ratios.map((ratio) => ({ ratio, run: runner(ratio, sink), spent: [] as number[] }))
    // The first round is for the compiler.
    for (let round = 0; round <= rounds; round++)
      for (const { run, spent } of cases) {
        const us = await run(round)
        if (round > 0) spent.push(us)
      }
    console.log(
      `${'traced'.padEnd(12)}µs of processor time per call: median (least to most) of ${rounds} rounds`,
    )
    for (const { ratio, spent } of cases) {
      const { median, least, most } = spreadOf(spent)
      const name = ratio === null ? 'none' : `${ratio * 100} %`
      console.log(`${name.padEnd(12)}${median.toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})`)
    }
  } finally {
    stopAll()
  }
}

/** A gateway of its own, and what one round costs there, microseconds a call. */
function runner(ratio: number | null, sink: string): (round: number) => Promise<number> {
  const nodes = ['a', 'b', 'c'].map((name) => ({ name, url: `http://${name}.test/` }))
  const config = parseConfig({ chains: [{ id: 1, quorum: 2, nodes }], rate: null }, {})
  const env = parseEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: sink })
  const tracing =
    ratio === null ? null : createTracer(env, { endpoint: sink, redactor: createRedactor(env, config) })
  const trace = tracing && createTrace(tracing.tracer, tracing.ids)
  const traceOf = createSampling({ ratio: ratio ?? 0, isParentTrusted: () => false, random: Math.random })
  const log = { isOn: () => false, write: () => {} }
  const clock = systemClock()
  const gateway = createGateway(config, {
    clock,
    random: Math.random,
    send: scripted,
    emit: createObserver({ log, trace, traced: createTraced(), clock }),
    ...(tracing !== null && { traceOf }),
  })
  return async (round) => {
    const before = process.cpuUsage()
    for (let index = 0; index < callsPerRound; index++) {
      const account = (round * callsPerRound + index).toString(16).padStart(40, '0')
      const { body } = await gateway.handle(
        requestOf(`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x${account}","latest"]}`),
      )
      if (!body.includes('"result"')) throw new Error(body.slice(0, 300))
      if (index % callsPerFlush === callsPerFlush - 1) await tracing?.flush()
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / callsPerRound
  }
}

const scripted: Send = ({ body }) => {
  const { id, method } = JSON.parse(body) as { id: number; method: string }
  const result =
    method === 'eth_chainId'
      ? '"0x1"'
      : method === 'eth_getBlockByNumber'
        ? JSON.stringify(blockAt(1000))
        : '"0x10"'
  return Promise.resolve({
    status: 200,
    retryAfter: null,
    body: `{"jsonrpc":"2.0","id":${id},"result":${result}}`,
  })
}
