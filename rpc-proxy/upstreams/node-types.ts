import type { Signal } from '../abort.ts'
import type { NodeConfig } from '../config-types.ts'
import type { NodeState } from '../events.ts'
import type { Reply } from '../wire/types.ts'
import type { NodeCall } from './exchange.ts'

/** What is read of a node's configuration here. */
export type NodeOptions = Omit<NodeConfig, 'enabled' | 'aggregator'>

export interface NodeStatus {
  readonly state: NodeState
  readonly why: string | null
  readonly untilMs: number | null
}

/** An operator took a node out of use. */
export interface Cordon {
  /** Who did, if they said. */
  readonly by: string | null
  /** Epoch milliseconds. */
  readonly sinceMs: number
}

/** One node: sends, knows how well it is, and forgets nothing that it learned. */
export interface Node {
  readonly options: NodeOptions
  /** One round trip; never throws. `onSent`: it has left our queue. A node that has not said which chain it serves is asked that first. */
  readonly ask: (call: NodeCall, signal: Signal, onSent?: () => void) => Promise<Reply>
  /**
   * What came of an ask, once it has been judged: an answer that is none, or silence while others answered, is a fault. A call
   * whose work its caller has `chosen` says nothing of the node's health when it fails, nor of how fast the node is: it
   * makes the node due for a look at its head, and that counts.
   */
  readonly record: (
    method: string,
    reply: Reply,
    durationMs: number,
    kind?: 'call' | 'chosen' | 'look',
  ) => void
  /** It failed at a call of chosen work that others answered: for a while it comes after them, for this method and nothing else. */
  readonly avoid: (method: string) => void
  readonly isAvoided: (method: string) => boolean
  /** It voted against a winner of more than half of all weight, on what no caller can forge. */
  readonly dissented: () => void
  /** Its first block is not that of the others: it serves another chain under our id. */
  readonly foreign: () => void
  readonly status: () => NodeStatus
  /** False for a method that it said it lacks, and for a block whose state it said it has pruned. */
  readonly serves: (method: string, block: number | null) => boolean
  /** It has pruned what this method reads at this block, and at those before it. */
  readonly pruned: (method: string, block: number) => void
  /** A look at its head decides whether it is back, or whether what failed at it was only what a caller chose. */
  readonly isDue: () => boolean
  /** Cordons it; with null it is in use again. */
  readonly cordon: (cordon: Cordon | null, by?: string | null) => void
  /** Null while it is not cordoned. */
  readonly cordoned: () => Cordon | null
  readonly score: () => number
  readonly inFlight: () => number
  /** Asks left of its UTC day; null where `perDay` is not set. */
  readonly leftToday: () => number | null
  /** How often its places are taken by calls, those that wait included: 0 while one is free. */
  readonly backlog: () => number
  /** The block that it last showed, or is taken to have by now. */
  readonly head: () => number | null
  readonly sawHead: (number: number) => void
  /** The agreed head after a look that it took part in: how far behind is it? */
  readonly compareHead: (agreed: number) => void
  /** The agreed head after a look without it: it is taken to keep its distance, or it would be last for ever. */
  readonly assumeHead: (agreed: number) => void
  /** Blocks that it was behind when last looked at; null before. */
  readonly lag: () => number | null
}
