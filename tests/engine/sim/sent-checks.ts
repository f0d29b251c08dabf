import type { Sent } from './network.ts'
import { label, type RunContext } from './run-context.ts'
import { startMs } from './world.ts'

const broadcast = 'eth_sendRawTransaction'

/** Upstream requests without a waiting caller must have been aborted (S14). */
export function checkOrphans({ world, network, requests, report }: RunContext): void {
  if (world.settings.hasAudits) return
  for (const sent of network.outstanding())
    if (!sent.signal.aborted && !requests.isWanted(sent))
      report('S14', `${label(sent)} is still sent without a caller: ${sent.keys.join(' & ')}`)
}

/** A transaction is sent unchanged, only to write nodes, and once per node and request (S7). */
export function checkBroadcast({ world, time, network, report }: RunContext, sent: Sent): void {
  for (const { call } of sent.requests) {
    if (call?.method !== broadcast) continue
    const requests = world.clientRequests.filter(
      ({ chain, atMs, entries, malformed }) =>
        chain === sent.chain &&
        malformed === null &&
        startMs + atMs <= time.now() &&
        entries.some((entry) => entry.call?.subject === call.subject && entry.agreement === 'broadcast'),
    )
    const times = network
      .sends(sent.chain, `${broadcast}|${call.subject}||`)
      .filter(({ node }) => node === sent.node).length
    const entries = requests.flatMap((clientRequest) => clientRequest.entries)
    const most = entries.filter((entry) => entry.call?.subject === call.subject).length
    if (requests.length === 0) report('S7', `${label(sent)} was sent an unknown transaction: ${call.subject}`)
    else if (times > most) report('S7', `${label(sent)} is sent ${call.subject.slice(0, 40)}… ${times} times`)
    if (!sent.node.writes) report('S7', `${label(sent)} is no write node but was sent a transaction`)
  }
}
