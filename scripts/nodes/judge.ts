import type { ChainConfig } from '#rpc-proxy'
import { type Findings, noAnswer } from './probe.ts'

export type NodeRow = ReturnType<typeof judge>

/** The row of one node, compared with all nodes of its chain. */
export function judge(own: Findings, all: readonly Findings[], chain: ChainConfig) {
  const best = Math.max(...all.map(({ head }) => head ?? 0))
  const agreed = own.answers.filter((answer, at) =>
    isCommon(
      answer,
      all.map(({ answers }) => answers[at]),
    ),
  )
  // A node without history may lack block 0.
  const isOfChain =
    own.genesis === null ||
    isCommon(
      own.genesis,
      all.map(({ genesis }) => genesis ?? undefined),
    )
  const verdict = () => {
    if (own.head === null) return own.fault ?? 'silent'
    if (own.chainId !== chain.id) return `says chain ${own.chainId}`
    if (!isOfChain) return 'another genesis'
    return agreed.length < own.answers.length ? 'disagrees' : 'ok'
  }
  return {
    node: own.node,
    verdict: verdict(),
    head: own.head,
    lag: own.head === null ? null : best - own.head,
    latencyMs: own.latencyMs === null ? null : Math.round(own.latencyMs * 10) / 10,
    logsRange: own.logsRange,
    batch: own.batch,
    depth: own.depth,
    agrees: `${agreed.length}/${own.answers.length}`,
  }
}

/** Whether more nodes give this answer than other answers. Nodes without an answer do not count. */
function isCommon(answer: string, all: readonly (string | undefined)[]): boolean {
  const answers = all.filter((other) => other !== undefined && other !== noAnswer)
  const rivals = answers.filter((other) => other !== answer)
  return rivals.length === 0 || answers.length - rivals.length > rivals.length
}
