import type { NodeConfig } from '../config/config-types.ts'
import type { NodeState } from '../events/events.ts'

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

/** Until when a node is taken to serve another chain, epoch milliseconds, and why. */
export interface WrongChain {
  readonly untilMs: number
  readonly why: string
}
