import { isDeepStrictEqual } from 'node:util'
import { type RiskCall, sideOf } from './risk-calls.ts'
import { isDoubted, operatorsToLie, outcomeOf, type Reason, type RiskNode } from './risk-oracle.ts'
import type { RiskRow } from './risk-rows.ts'
import type { Answered, Case } from './stage.ts'

export const deadlineMs = 30_000
/** Far above the stalls that a failure takes, also on a busy machine, and far below the deadline. */
export const soonMs = deadlineMs / 2

/** The cells of one row on one host: what callers get, beside what must come of the row's weights. */
export class RiskTable {
  /** A sentence for each thing that differs. */
  readonly wrong: string[] = []
  readonly #row: RiskRow
  readonly #chain: Case
  /** What metrics must say: rounds by policy, and thin results. */
  readonly #counts = new Map<string, number>()

  constructor(row: RiskRow, chain: Case) {
    this.#row = row
    this.#chain = chain
  }

  /** Whether the host holds every silent voter for unusable. */
  async knowsTheSilent(): Promise<boolean> {
    const unusable = await this.#unusable()
    return this.#row.nodes.every(
      (node) => node.isWitness || node.conduct !== 'silent' || unusable.includes(node),
    )
  }

  /** All at once. */
  async ask(calls: readonly RiskCall[]): Promise<void> {
    const unusable = await this.#unusable()
    await Promise.all(calls.map((call) => this.#askOne(call, unusable)))
  }

  /** Whether the health report of the host names the number of liars that it takes now. The answer may be a moment old. */
  async isHealthRight(text: string): Promise<boolean> {
    const { chains } = JSON.parse(text) as { chains: { chainId: number; operatorsToLie: unknown }[] }
    const unusable = await this.#unusable()
    const found = chains.find(({ chainId }) => chainId === this.#chain.chainId)
    const expected = operatorsToLie(this.#row, (node) => !unusable.includes(node))
    return isDeepStrictEqual(found?.operatorsToLie, expected)
  }

  /** Heads and second rounds are counted too. */
  compareMetrics(text: string): void {
    for (const [name, count] of this.#counts) {
      const line = text.split('\n').find((each) => each.startsWith(`${name} `))
      const counted = Number(line?.slice(name.length) ?? 0)
      if (counted < count) this.wrong.push(`${name}: ${counted}, not ${count}`)
    }
  }

  async #unusable(): Promise<readonly RiskNode[]> {
    const { nodes } = await this.#chain.state()
    return this.#row.nodes.filter((_, index) => nodes[index]?.state !== 'usable')
  }

  async #askOne(call: RiskCall, unusable: readonly RiskNode[]): Promise<void> {
    const about = `${call.caller}, ${call.method}`
    const answer = await this.#chain.ask(call.method, call.params, call.headers)
    const { method, policy, isThin } = await this.#chain.certificate(answer)
    // While all voters are usable, the nodes that are sent the call first decide, and nodes with calls in flight come last
    // (docs/risk.md). An audit, one call in a hundred, may tighten a round too.
    const mustTighten =
      isDoubted(this.#row, (node) => !unusable.includes(node)) && unusable.some(({ isWitness }) => !isWitness)
    const isTightened = mustTighten || policy === 'tightened'
    const everyday = isTightened ? 'tightened' : 'everyday'
    const expected = outcomeOf(this.#row, call.policy === 'everyday' ? everyday : 'protected')
    const { reason, ...seen } = outcomeSeen(call, answer)
    const { reasons, ...outcome } = expected
    this.#compare(about, seen, outcome)
    // Without a head that a protected quorum shows, the certificate is that of the head.
    const isOfHead = policy === 'protected' && method === 'eth_blockNumber' && reasons.includes('thin')
    if (reason === null ? reasons.length > 0 : !isOfHead && !reasons.includes(reason))
      this.wrong.push(`${about}: ${reason}, not ${reasons.join(' or ') || 'a result'}`)
    this.#compare(
      `${about}, certificate`,
      { policy, isThin },
      { policy: expected.policy, isThin: expected.isThin },
    )
    // An everyday round waits for a voter that hangs and could still decide it.
    const isHung = this.#row.nodes.some(({ faultProfile }) => faultProfile === 'hanging')
    const limitMs = isHung && call.policy === 'everyday' && expected.side === null ? deadlineMs : soonMs
    if (answer.ms > limitMs) this.wrong.push(`${about}: took ${answer.ms.toFixed(0)} ms`)
    this.#count(`quorate_rounds_total{chain="${this.#chain.chainId}",policy="${policy}"}`)
    if (isThin) this.#count(`quorate_thin_total{chain="${this.#chain.chainId}"}`)
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  #compare(about: string, seen: unknown, expected: unknown): void {
    if (!isDeepStrictEqual(seen, expected))
      this.wrong.push(`${about}: ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`)
  }
}

function outcomeSeen(call: RiskCall, { result, error, headers }: Answered) {
  return {
    side: sideOf(call, result),
    policy: headers['x-quorate-agreement']?.split('; policy=')[1] ?? 'everyday',
    isThin: headers['x-quorate-thin'] === '1',
    reason: error?.code === -32010 ? (error.data as { readonly reason: Reason }).reason : null,
  }
}
