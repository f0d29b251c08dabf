import type { EngineEvent, Evidence } from '#rpc-proxy'
import { isQuorum } from './bars.ts'
import { type JudgedCall, list, type Report } from './judged-call.ts'

/** Checks that no answer rests on what an operator said before it was distrusted (S20). */
export interface TrustWatch {
  readonly distrusted: (event: Extract<EngineEvent, { type: 'distrust' }>) => void
  readonly agreed: (evidence: Evidence) => void
  readonly judge: (judged: JudgedCall) => void
}

interface WatchPorts {
  readonly now: () => number
  readonly tick: () => number
  readonly note: (what: string) => void
  readonly report: Report
}

interface Distrust {
  readonly chainId: number
  readonly operator: string
  readonly atMs: number
  readonly order: number
}

export function watchTrust({ now, tick, note, report }: WatchPorts): TrustWatch {
  const distrusts: Distrust[] = []
  /** By id. */
  const evidences = new Map<string, Evidence>()

  return {
    distrusted({ chainId, operator }) {
      distrusts.push({ chainId, operator, atMs: now(), order: tick() })
    },
    agreed(evidence) {
      evidences.set(evidence.id, evidence)
    },
    judge({ chain, bar, bars, isProtected, entry, reply, from }) {
      const evidence = evidences.get(reply.answer ?? '')
      if (evidence === undefined || evidence.outcome !== 'agreed' || reply.cache === 'miss') return
      const gone = distrusts.filter(
        ({ chainId, order, atMs }) => chainId === chain.id && order < from && evidence.startMs < atMs,
      )
      if (gone.length === 0) return
      note('cache: hit older than a distrust')
      const left = ({ operators }: { readonly operators: readonly string[] }) =>
        new Set(operators.filter((operator) => !gone.some((each) => each.operator === operator)))
      // Several groups carry an estimate together.
      const groups =
        entry.agreement === 'estimate'
          ? [{ operators: evidence.groups.flatMap(({ operators }) => operators) }]
          : evidence.groups
      // An everyday caller is served what is enough by any rule.
      const enough = isProtected ? [bar] : [bars.everyday, bars.tightened]
      const isEnough = (operators: ReadonlySet<string>) =>
        // A broadcast needs one acceptance.
        entry.agreement === 'broadcast'
          ? operators.size > 0
          : enough.some((each) => isQuorum(chain, each, operators))
      const isCarried = groups.some((group) => isEnough(left(group)))
      if (!isCarried)
        report(
          'S20',
          `${entry.text} rests on what ${list(new Set(gone.map((each) => each.operator)))} said before it was distrusted`,
        )
    },
  }
}
