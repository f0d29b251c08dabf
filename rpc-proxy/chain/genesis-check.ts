import { readHeader } from '../heads/headers.ts'
import { type Checkpoints, isAgainst } from '../methods/agreed-blocks.ts'
import { hexOf } from '../methods/block-ref.ts'
import {
  countOperators,
  difference,
  type Electorate,
  isQuorum,
  operatorsOfNodes,
  withMajority,
} from '../quorum/electorate.ts'
import { Abort } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import { internalCall } from '../upstreams/errors/error-pattern.ts'
import type { Node } from '../upstreams/node.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import type { Reply } from '../wire/types.ts'
import { suspectsAmong } from './suspects.ts'

interface GenesisCheckOptions {
  readonly chainId: number
  readonly nodes: readonly Node[]
  readonly electorate: Electorate
  readonly clock: Clock
}

const everyMs = 3_600_000
const waitMs = 5_000
/** So many operators must stand on another genesis than a node before it is taken to serve another chain. */
const accusersMin = 3

/** Whether all nodes stand on the same first block: a chain id is easily taken, a genesis is not. */
export class GenesisCheck {
  readonly #options: GenesisCheckOptions
  readonly #checkedMs = new Map<NodeIndex, number>()
  readonly #hashes = new Map<NodeIndex, string>()
  readonly #onOtherChain = new Set<NodeIndex>()
  readonly #open = new Set<Abort>()

  constructor(options: GenesisCheckOptions) {
    this.#options = options
  }

  /** Asks those of these nodes for their first block that have not been asked for an hour. */
  check(polled: readonly NodeIndex[]): void {
    const nowMs = this.#options.clock.now()
    for (const node of polled) {
      if (nowMs - (this.#checkedMs.get(node) ?? Number.NEGATIVE_INFINITY) < everyMs) continue
      this.#checkedMs.set(node, nowMs)
      void this.#read(node)
    }
  }

  /** The chain may have another first block now: every node is asked again. */
  forget(): void {
    for (const node of this.#onOtherChain) this.#options.nodes[node]?.identity.clearWrongChain()
    this.#checkedMs.clear()
    this.#hashes.clear()
    this.#onOtherChain.clear()
  }

  close(): void {
    for (const abort of this.#open) abort.abort()
  }

  async #read(index: NodeIndex): Promise<void> {
    const { chainId, nodes, clock } = this.#options
    const abort = new Abort()
    const cancel = clock.after(waitMs, () => abort.abort())
    this.#open.add(abort)
    const reply = await (nodes[index] as Node).reply({ ...headerCall, params: '["0x0",false]' }, abort)
    cancel()
    this.#open.delete(abort)
    const header = reply.kind === 'result' ? readHeader(reply.raw, chainId) : null
    // A node that keeps recent blocks only has none to show.
    if (header?.number !== 0) return
    this.#hashes.set(index, header.hash)
    this.#onOtherChain.delete(index)
    this.#markOthers()
  }

  /** Marks the nodes whose first block differs from that of more than half of all weight, each once. */
  #markOthers(): void {
    const showing = (hash: string) =>
      [...this.#hashes.keys()].filter((node) => this.#hashes.get(node) === hash)
    const common = [...new Set(this.#hashes.values())].find((hash) => this.#isMajority(showing(hash)))
    if (common === undefined) return
    for (const [node, hash] of this.#hashes) {
      if (hash === common || this.#onOtherChain.has(node)) continue
      this.#onOtherChain.add(node)
      this.#options.nodes[node]?.identity.markWrongChain()
    }
  }

  /** More than half of all weight, and enough operators that are believed. */
  #isMajority(showing: readonly NodeIndex[]): boolean {
    const { electorate, nodes } = this.#options
    const believed = difference(operatorsOfNodes(electorate, showing), suspectsAmong(nodes, electorate))
    return isQuorum(withMajority(electorate), believed) && countOperators(believed) >= accusersMin
  }
}

export const headerCall = {
  method: 'eth_getBlockByNumber',
  context: internalCall,
  lane: 'head-poll',
} as const

/** Asks a node for the blocks at checkpoints: whether it shows another one there. Null where there is no checkpoint. */
type CheckpointCheck = (request: (call: NodeCall) => Promise<Reply>) => Promise<boolean> | null

/** A node that shows no such block may keep recent ones only, which is not held against it. */
export function createCheckpointCheck(chainId: number, checkpoints: Checkpoints): CheckpointCheck {
  return (request) => {
    const known = checkpoints()
    return known.length === 0 ? null : someOf(known.map(({ number }) => isElsewhere(number)))

    async function isElsewhere(number: number): Promise<boolean> {
      const reply = await request({ ...headerCall, params: `["${hexOf(number)}",false]` })
      const header = reply.kind === 'result' ? readHeader(reply.raw, chainId) : null
      return header !== null && isAgainst(checkpoints, header)
    }
  }
}

const someOf = async (all: readonly Promise<boolean>[]) => (await Promise.all(all)).includes(true)
