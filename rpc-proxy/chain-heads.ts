import { within } from './clock.ts'
import type { ChainConfig } from './config-types.ts'
import { CallError } from './errors.ts'
import type { EngineEvent, Evidence } from './events.ts'
import { createHeadEvidence, type HeadEvidence, idOf } from './head-evidence.ts'
import { createHeaderAsks, type HeaderAsks, headerCall } from './header-asks.ts'
import { createGenesis, type Genesis } from './heads/genesis.ts'
import { type Agreed, Heads, type HeadsPorts, staleMsOf } from './heads/heads.ts'
import type { LookPorts } from './heads/look.ts'
import type { Ports } from './ports.ts'
import { countOf, type Electorate, isQuorum, type Operators, withMajority } from './quorum/electorate.ts'
import { evidenceOfNothing, QuorumError } from './quorum/evidence.ts'
import type { Node } from './upstreams/node.ts'
import { inOrder } from './upstreams/order.ts'

/** The current block of one chain, by the headers of its nodes. */
export interface ChainHeads {
  readonly heads: Heads
  /** The agreed head, or QuorumError. */
  readonly head: (endMs: number) => Agreed | Promise<Agreed>
  /** The agreed safe or finalized block; `block-not-found` where the nodes agree on none. */
  readonly finality: (tag: 'safe' | 'finalized', endMs: number) => Promise<Agreed>
  /** The evidence for this agreed head, whether or not it is the newest one. */
  readonly headEvidence: (head: Agreed) => Evidence
  /** What these operators have shown until now is not believed any more. */
  readonly distrust: (suspects: Operators) => void
  readonly close: () => void
}

/** The nodes to look at, and how much each of them weighs. */
interface ChainHeadsOptions {
  readonly config: ChainConfig
  readonly nodes: readonly Node[]
  readonly electorate: Electorate
  readonly operatorsOf: (voters: readonly number[]) => Operators
  /** Operators that are not believed. */
  readonly suspects: () => Operators
  readonly nextId: () => string
  /** A reorg of unknown depth: anything cached by block number may belong to another chain. */
  readonly onDeepReorg: () => void
}

type ChainPorts = Pick<Ports, 'clock' | 'random'>
type Emit = (event: EngineEvent) => void

export function createChainHeads(options: ChainHeadsOptions, ports: ChainPorts, emit: Emit): ChainHeads {
  const { config, nodes, electorate, operatorsOf, suspects, nextId } = options
  const { clock } = ports
  const chainId = config.id
  const evidence = createHeadEvidence({ chainId, nodes, electorate, operatorsOf, nextId })
  const asks = createHeaderAsks({ chainId, nodes, clock, emit })
  const genesis = createGenesis({
    clock,
    look: (voter, signal) => asks.genesis(voter, signal),
    isMajority(voters) {
      const believed = operatorsOf(voters) & ~suspects()
      return isQuorum(withMajority(electorate), believed) && countOf(believed) >= accusersMin
    },
    onForeign: (voter) => nodes[voter]?.foreign(),
    onForgiven: (voter) => nodes[voter]?.notForeign(),
  })
  const heads = new Heads(
    { maxAgeMs: config.headMaxAgeMs, resetMs: config.headResetMs, deadlineMs: config.deadlineMs },
    { ...lookPorts(options, ports, asks), ...headEvents(options, { evidence, genesis, emit }) },
  )

  async function headBy(endMs: number, found: Promise<Agreed>): Promise<Agreed> {
    try {
      return await within(clock, endMs - clock.now(), found)
    } catch {
      const [reason, rule] = isAnswering() ? noQuorumBlock : tooFewAnswer
      const call = { id: nextId(), chainId, method: 'eth_blockNumber', block: null, electorate }
      const nothing = evidenceOfNothing(call, clock.now(), reason, rule)
      emit({ type: 'verdict', evidence: nothing })
      throw new QuorumError(nothing)
    }
  }

  /** Whether enough nodes to agree on a head have answered since one could last be served. */
  function isAnswering(): boolean {
    const sinceMs = clock.now() - staleMsOf(config.headMaxAgeMs)
    return isQuorum(electorate, operatorsOf(asks.answeringSince(sinceMs)))
  }

  return {
    heads,
    head(endMs) {
      const found = heads.fresh()
      return found instanceof Promise ? headBy(endMs, found) : found
    },
    async finality(tag, endMs) {
      try {
        return await within(clock, endMs - clock.now(), Promise.resolve(heads.at(tag)))
      } catch {
        throw new CallError('block-not-found', { message: `${tag} block not found` })
      }
    },
    headEvidence: (head) => evidence.of(head),
    distrust(distrusted) {
      const isBelieved = (voter: number) => (operatorsOf([voter]) & distrusted) === 0
      genesis.forget()
      heads.restart((voters, tag) => {
        const believed = voters.filter(isBelieved)
        const needed = tag === 'latest' ? electorate : withMajority(electorate)
        return isQuorum(needed, operatorsOf(believed)) ? believed : null
      })
      evidence.forget()
      const head = heads.current()
      if (head !== null) evidence.remember(head)
    },
    close() {
      heads.close()
      genesis.close()
    },
  }
}

/** How a look asks the nodes, and how it counts them. */
function lookPorts(
  { config, nodes, electorate, operatorsOf }: ChainHeadsOptions,
  { clock, random }: ChainPorts,
  asks: HeaderAsks,
): Omit<LookPorts, 'onNodeHead'> {
  return {
    clock,
    voters: () =>
      inOrder(nodes, headerCall.method, null, random).map(({ node, usable }) => ({
        voter: nodes.indexOf(node),
        usable,
        due: node.isDue(),
        stallMs: node.options.stallMs,
      })),
    look: (voter, block, signal) => asks.header(voter, block, signal),
    onSilent: (voter, signal) => asks.silent(voter, signal),
    isQuorum: (voters, majority) =>
      isQuorum(majority ? withMajority(electorate) : electorate, operatorsOf(voters)),
    operatorOf: (voter) => electorate.operators.indexOf(config.nodes[voter]?.operator ?? ''),
  }
}

interface Told {
  readonly evidence: HeadEvidence
  readonly genesis: Genesis
  readonly emit: Emit
}

/** Who is told when heads change. */
function headEvents(
  { config, nodes, onDeepReorg }: ChainHeadsOptions,
  { evidence, genesis, emit }: Told,
): Pick<HeadsPorts, 'onHead' | 'onReorg' | 'onNodeHead' | 'onLooked'> {
  const chainId = config.id
  return {
    onHead(agreed) {
      const remembered = evidence.remember(agreed)
      emit({ type: 'head', chainId, block: idOf(agreed.block) })
      emit({ type: 'verdict', evidence: remembered })
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
  }
}

/** So many operators must stand on another genesis than a node before it is taken to serve another chain. */
const accusersMin = 3

/** Why there is no head, by whether enough nodes answer to agree on one. */
const noQuorumBlock = ['heads', 'no block that a quorum shows'] as const
const tooFewAnswer = ['silent', 'too few nodes answer to agree on a block'] as const
