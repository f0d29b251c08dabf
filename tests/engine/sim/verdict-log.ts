import type { Evidence } from '#rpc-proxy'
import type { Entry } from './calls.ts'
import { pinnedKey, type Reply } from './judged-call.ts'
import type { Network } from './network.ts'
import type { OpenRequest } from './open-requests.ts'

/** A verdict and the votes that it counted. */
interface LoggedVerdict {
  readonly chainId: number
  readonly method: string
  readonly counted: readonly { readonly node: string; readonly atMs: number }[]
  readonly isAgreed: boolean
  readonly atMs: number
  /** Its sequence number. */
  readonly order: number
}

/** The verdicts of a run, by the calls that they were reached for. */
export class VerdictLog {
  readonly #network: Network
  readonly #verdicts: LoggedVerdict[] = []

  constructor(network: Network) {
    this.#network = network
  }

  /** Takes in a verdict. Returns the nodes that it counts without a vote of theirs (S6). */
  add({ chainId, method, block, requests, outcome }: Evidence, atMs: number): readonly string[] {
    const counted = requests.flatMap(({ node, group, endMs }) =>
      group === null || endMs === null ? [] : [{ node, atMs: endMs }],
    )
    const isAgreed = outcome === 'agreed'
    this.#verdicts.push({ chainId, method, counted, isAgreed, atMs, order: this.#network.tick() })
    const number = block?.number ?? null
    return counted
      .filter((vote) => !this.#network.count({ chainId, method, block: number, ...vote }))
      .map(({ node }) => node)
  }

  /** When the rounds of this call ended, as sequence numbers. There are two if its block hash had changed by the first one. */
  endsOf(open: OpenRequest, entry: Entry, reply: Reply): readonly number[] {
    return this.#of(open, entry, reply)
      .filter(({ order }) => order > open.order)
      .map(({ order }) => order)
  }

  /** When rounds for the same call were agreed, for any caller. */
  agreedMs(open: OpenRequest, entry: Entry, reply: Reply): readonly number[] {
    return this.#of(open, entry, reply)
      .filter(({ isAgreed }) => isAgreed)
      .map(({ atMs }) => atMs)
  }

  /** Those that were reached for this call. */
  #of(
    { clientRequest: { chain } }: OpenRequest,
    { call }: Entry,
    { block }: Reply,
  ): readonly LoggedVerdict[] {
    if (call === null) return []
    const votes = this.#network.votes(chain, pinnedKey(call, block))
    const isOurs = ({ node, atMs }: LoggedVerdict['counted'][number]) =>
      votes.some((vote) => vote.node.name === node && vote.atMs === atMs)
    return this.#verdicts.filter(
      ({ chainId, method, counted }) =>
        chainId === chain.id && method === call.method && counted.length > 0 && counted.every(isOurs),
    )
  }
}
