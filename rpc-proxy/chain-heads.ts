import { within } from './clock.ts'
import type { ChainConfig } from './config.ts'
import { CallError } from './errors.ts'
import type { BlockId, EngineEvent, Evidence } from './events.ts'
import { createGenesis } from './heads/genesis.ts'
import { type Agreed, createHeads, type Heads, staleMsOf } from './heads/heads.ts'
import { readHeader } from './heads/read-header.ts'
import type { Header } from './heads/views.ts'
import type { Ports } from './ports.ts'
import {
  countOf,
  type Electorate,
  isQuorum,
  type Operators,
  weightOf,
  withMajority,
} from './quorum/electorate.ts'
import { evidenceOfNothing, QuorumError } from './quorum/evidence.ts'
import { ofOurOwn } from './upstreams/errors/rule.ts'
import type { Node } from './upstreams/node.ts'
import { inOrder } from './upstreams/order.ts'
import type { Reply } from './wire/types.ts'

/** Which block is now on one chain, as its nodes' headers tell. */
export interface ChainHeads {
  readonly heads: Heads
  /** The agreed head, or QuorumError. */
  readonly head: (endMs: number) => Agreed | Promise<Agreed>
  /** The agreed safe or finalized block; `block-not-found` where the nodes agree on none. */
  readonly finality: (tag: 'safe' | 'finalized', endMs: number) => Promise<Agreed>
  /** What this agreed head rests on, whether or not it is the newest one. */
  readonly headEvidence: (head: Agreed) => Evidence
  readonly close: () => void
}

/** Whom to look at, and how much each of them weighs. */
interface ChainHeadsOptions {
  readonly config: ChainConfig
  readonly nodes: readonly Node[]
  readonly electorate: Electorate
  readonly operatorsOf: (voters: readonly number[]) => Operators
  readonly nextId: () => string
  /** Nobody knows how many blocks are gone: what is known of any block by its number may be of another chain. */
  readonly onDeepReorg: () => void
}

export function createChainHeads(
  { config, nodes, electorate, operatorsOf, nextId, onDeepReorg }: ChainHeadsOptions,
  { clock, random }: Pick<Ports, 'clock' | 'random'>,
  emit: (event: EngineEvent) => void,
): ChainHeads {
  const chainId = config.id
  /** By block hash, the newest last. */
  const evidences = new Map<string, Evidence>()

  const genesis = createGenesis({
    clock,
    look: (voter, signal) => genesisOf(nodes[voter] as Node, signal),
    isMajority: (voters) => isQuorum(withMajority(electorate), operatorsOf(voters)),
    onForeign: (voter) => nodes[voter]?.foreign(),
  })
  /** When each voter last answered a look, with a block or with having none. */
  const answeredMs = new Map<number, number>()
  /** Looks that have gone out, by their signal. */
  const sent = new WeakSet<AbortSignal>()
  const heads = createHeads(
    { maxAgeMs: config.headMaxAgeMs, resetMs: config.headResetMs, deadlineMs: config.deadlineMs },
    {
      clock,
      voters: () =>
        inOrder(nodes, headerCall.method, null, random).map(({ node, usable }) => ({
          voter: nodes.indexOf(node),
          usable,
          due: node.isDue(),
          stallMs: node.options.stallMs,
        })),
      look: lookAt,
      isQuorum: (voters, majority) =>
        isQuorum(majority ? withMajority(electorate) : electorate, operatorsOf(voters)),
      operatorOf: (voter) => electorate.operators.indexOf(config.nodes[voter]?.operator ?? ''),
      onHead(agreed) {
        const evidence = remember(agreed)
        emit({ type: 'head', chainId, block: idOf(agreed.block) })
        emit({ type: 'verdict', evidence })
      },
      onReorg(from, to, isDeep) {
        if (isDeep) genesis.forget()
        if (isDeep) onDeepReorg()
        emit({ type: 'reorg', chainId, from: idOf(from), to: idOf(to) })
      },
      onNodeHead(voter, number) {
        const node = nodes[voter] as Node
        node.sawHead(number)
        emit({ type: 'node-head', chainId, node: node.options.name, number })
      },
      onLooked(number, asked) {
        genesis.check(asked)
        for (const [voter, node] of nodes.entries()) {
          if (asked.includes(voter)) node.compareHead(number)
          else node.assumeHead(number)
        }
      },
      onSilent(voter, signal) {
        // Whoever was still waited for by others was never asked.
        if (!sent.has(signal)) return
        const node = nodes[voter] as Node
        node.record(headerCall.method, silence, node.options.stallMs, 'look')
        tell(node, silence, node.options.stallMs)
      },
    },
  )

  async function lookAt(voter: number, block: string, signal: AbortSignal): Promise<Header | null> {
    const node = nodes[voter] as Node
    const startMs = clock.now()
    const reply = await node.ask(
      { ...headerCall, params: `["${block}",false]`, onWait: () => sent.delete(signal) },
      signal,
      () => {
        sent.add(signal)
      },
    )
    // Given up; some transports deliver all the same.
    if (signal.aborted) return null
    const header = reply.kind === 'answer' ? readHeader(reply.raw) : null
    const judged = reply.kind === 'answer' && header === null ? noHeader(reply.raw) : reply
    if (judged.kind !== 'fault') answeredMs.set(voter, clock.now())
    const durationMs = clock.now() - startMs
    node.record(headerCall.method, judged, durationMs, 'look')
    tell(node, judged, durationMs)
    return header
  }

  /** No such block is no fault: it is behind, or knows no finality. */
  function noHeader(raw: string): Reply {
    return raw === 'null' ? { kind: 'behind' } : { kind: 'fault', fault: 'malformed' }
  }

  /** Whoever has no block 0 to show has not failed: it may keep recent blocks only. */
  async function genesisOf(node: Node, signal: AbortSignal): Promise<string | null> {
    const reply = await node.ask({ ...headerCall, params: '["0x0",false]' }, signal)
    const header = reply.kind === 'answer' ? readHeader(reply.raw) : null
    return header?.number === 0 ? header.hash : null
  }

  function tell({ options }: Node, reply: Reply, durationMs: number): void {
    emit({
      type: 'ask',
      chainId,
      method: headerCall.method,
      node: options.name,
      outcome: reply.kind,
      fault: reply.kind === 'fault' ? reply.fault : null,
      durationMs,
    })
  }

  function remember(agreed: Agreed): Evidence {
    const evidence = evidenceOfHead(agreed)
    evidences.delete(agreed.block.hash)
    evidences.set(agreed.block.hash, evidence)
    for (const oldest of evidences.keys()) {
      if (evidences.size <= evidencesMax) break
      evidences.delete(oldest)
    }
    return evidence
  }

  function evidenceOfHead({ block, voters, seenMs }: Agreed): Evidence {
    const agreeing = operatorsOf(voters)
    return {
      id: nextId(),
      chainId,
      method: 'eth_blockNumber',
      startMs: seenMs,
      endMs: seenMs,
      outcome: 'agreed',
      reason: null,
      rule: 'the highest block that a quorum shows',
      agreed: weightOf(electorate, agreeing),
      needed: electorate.needed,
      total: electorate.total,
      operators: countOf(agreeing),
      operatorsMin: electorate.operatorsMin,
      block: idOf(block),
      asks: [],
      camps: [
        {
          weight: weightOf(electorate, agreeing),
          operators: electorate.operators.filter((_, index) => agreeing & (1 << index)),
          nodes: voters.map((voter) => (nodes[voter] as Node).options.name),
          said: `"${block.hash}"`,
        },
      ],
    }
  }

  function head(endMs: number): Agreed | Promise<Agreed> {
    const found = heads.fresh()
    return found instanceof Promise ? headBy(endMs, found) : found
  }

  async function headBy(endMs: number, found: Promise<Agreed>): Promise<Agreed> {
    try {
      return await within(clock, endMs - clock.now(), found)
    } catch {
      const [reason, rule] = isAnswering() ? noQuorumBlock : tooFewAnswer
      const evidence = evidenceOfNothing(
        { id: nextId(), chainId, method: 'eth_blockNumber', block: null, electorate },
        clock.now(),
        reason,
        rule,
      )
      emit({ type: 'verdict', evidence })
      throw new QuorumError(evidence)
    }
  }

  /** Whether so many nodes have answered since a head could last be served that they could have agreed on one. */
  function isAnswering(): boolean {
    const sinceMs = clock.now() - staleMsOf(config.headMaxAgeMs)
    const answering = [...answeredMs].filter(([, atMs]) => atMs >= sinceMs).map(([voter]) => voter)
    return isQuorum(electorate, operatorsOf(answering))
  }

  async function finality(tag: 'safe' | 'finalized', endMs: number): Promise<Agreed> {
    try {
      return await within(clock, endMs - clock.now(), Promise.resolve(heads.at(tag)))
    } catch {
      throw new CallError('block-not-found', { message: `${tag} block not found` })
    }
  }

  return {
    heads,
    head,
    finality,
    headEvidence: (agreed) => evidences.get(agreed.block.hash) ?? remember(agreed),
    close() {
      heads.close()
      genesis.close()
    },
  }
}

const silence: Reply = { kind: 'fault', fault: 'timeout' }

/** Heads whose evidence is kept: a request ends within 8 s, in which the fastest chains make 32 blocks. */
const evidencesMax = 64

/** Why there is no head, by whether enough nodes answer to agree on one. */
const noQuorumBlock = ['heads', 'no block that a quorum shows'] as const
const tooFewAnswer = ['silent', 'too few nodes answer to agree on a block'] as const

const headerCall = {
  method: 'eth_getBlockByNumber',
  context: ofOurOwn,
  lane: 'look',
} as const

function idOf({ number, hash }: BlockId): BlockId {
  return { number, hash }
}
