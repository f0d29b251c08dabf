import type { Gateway } from '#rpc-proxy'
import type { ClientRequest } from './calls.ts'
import type { Sent } from './network.ts'
import type { ParsedCall } from './parsed-call.ts'
import { label, type RunContext } from './run-context.ts'
import type { Settings } from './settings.ts'
import { startMs } from './world.ts'

type End = NonNullable<Settings['end']>['kind']

/** Drains or closes the gateway, and checks that a drain waits for what is in flight and for nothing else. */
export function shutDown(context: RunContext, gateway: Gateway, kind: End): void {
  const { time, requests, note, log, report } = context
  note(`end: ${kind}`)
  log(kind.toUpperCase())
  if (kind === 'close') {
    gateway.close()
    return
  }
  let isDrained = false
  const inFlight = requests.size
  void gateway.drain().then(() => {
    isDrained = true
    log('DRAINED')
    checkDrained(context)
  })
  time.settle()
  const sentUntil = broadcastsEndMs(context)
  if (inFlight === 0 && !isDrained && sentUntil <= time.now())
    report('S4', 'nothing is in flight but the drain waits')
  if (inFlight === 0 && sentUntil > time.now())
    time.at(sentUntil + 1, 0, () => {
      time.settle()
      if (!isDrained) report('S10', 'no transaction is in flight but the drain waits')
    })
}

function checkDrained(context: RunContext): void {
  const { time, network, requests, report } = context
  // The last response may come in the same millisecond.
  time.at(time.now(), 0, () => {
    if (requests.size > 0) report('S4', `drained with ${requests.size} requests in flight`)
  })
  for (const sent of network.outstanding())
    if (!sent.signal.aborted && sent.requests.some(({ call }) => isStillSent(context, call, sent)))
      report('S7', `drained while ${label(sent)} is being sent a transaction`)
}

/** After its deadline a transaction may be in flight only because it shares a POST with others. */
function isStillSent({ world, time }: RunContext, call: ParsedCall | null, sent: Sent): boolean {
  const isOver = ({ atMs, chain, entries }: ClientRequest) =>
    startMs + atMs <= sent.atMs &&
    startMs + atMs + chain.deadlineMs <= time.now() &&
    entries.some((entry) => entry.call?.subject === call?.subject)
  return call?.method === 'eth_sendRawTransaction' && !world.clientRequests.some(isOver)
}

/** When every transaction so far has been sent to all nodes or aborted. */
function broadcastsEndMs({ world, time }: RunContext): number {
  const ends = world.clientRequests
    .filter(({ atMs, entries }) => startMs + atMs <= time.now() && entries.some(isBroadcast))
    .map(({ atMs, chain }) => startMs + atMs + chain.deadlineMs)
  return Math.max(Number.NEGATIVE_INFINITY, ...ends)
}

const isBroadcast = ({ agreement }: ClientRequest['entries'][number]) => agreement === 'broadcast'
