import { z } from 'zod'
import type { Snapshot } from '#rpc-proxy'
import type { Peers } from './peers.ts'

/** Those that have not said how they are by then are not counted. */
const reportMsMax = 250

const replicaReport = z.object({
  replica: z.string(),
  startedMs: z.number(),
  draining: z.boolean(),
  /** Whether it hears the others. */
  isJoined: z.boolean(),
  requests: z.number(),
  calls: z.number(),
  chains: z.array(z.object({ chainId: z.number(), status: z.string(), head: z.number().nullable() })),
})
const answer = z.object({ question: z.string(), report: replicaReport })
const question = z.object({ question: z.string() })

/** How one process of several is: requests in flight, calls since its start, and its chains. */
export type ReplicaReport = z.output<typeof replicaReport>

export function reportOf(
  own: Pick<ReplicaReport, 'replica' | 'isJoined'>,
  { startedMs, draining, inFlight, histograms, chains }: Snapshot,
): ReplicaReport {
  const calls = histograms.filter(({ name }) => name === 'rpc_server_call_duration_seconds')
  return {
    ...own,
    startedMs,
    draining,
    requests: inFlight.requests,
    calls: calls.reduce((sum, { value }) => sum + value.count, 0),
    chains: chains.map(({ chainId, status, head }) => ({ chainId, status, head: head?.number ?? null })),
  }
}

/** Returns what asks all processes how they are; this one comes first. */
export function shareReports(
  own: () => ReplicaReport,
  peers: Peers,
): () => Promise<readonly ReplicaReport[]> {
  const open = new Map<string, ReplicaReport[]>()
  peers.on('report-wanted', (value) => {
    const { data } = question.safeParse(value)
    if (data !== undefined) peers.send('report', { ...data, report: own() })
  })
  peers.on('report', (value) => {
    const { data } = answer.safeParse(value)
    if (data !== undefined) open.get(data.question)?.push(data.report)
  })
  return async () => {
    const id = crypto.randomUUID()
    const others: ReplicaReport[] = []
    open.set(id, others)
    peers.send('report-wanted', { question: id })
    await new Promise((resolve) => setTimeout(resolve, reportMsMax))
    open.delete(id)
    return [own(), ...others.toSorted((a, b) => a.replica.localeCompare(b.replica, 'en', { numeric: true }))]
  }
}
