import type { Edge } from './edge.ts'
import type { ClientRpcError } from './error-texts.ts'
import profiles from './profiles.json' with { type: 'json' }
import type { Client } from './reply-format.ts'

/** What a node refuses with: an error in a response object or without one, or an HTML page. */
export interface ProviderError extends ClientRpcError {
  /** 200 by default. */
  readonly status?: number
  readonly form?: 'response' | 'error-only' | 'page'
}

export interface Limit extends ProviderError {
  readonly most: number
}

/** One kind of public node: its client, the depth of its state, and the limits of its plan or of the client itself. */
export interface RealNode {
  readonly client: Client
  /** The chain of the node. Forms differ by chain. */
  readonly chainId: 1 | 137 | 42161
  /** Blocks behind the head with state; without it an archive node. */
  readonly depthBlocks?: number
  /** Blocks behind the head with state, of the plan. */
  readonly depth?: Limit
  /** Blocks of one eth_getLogs. */
  readonly logsBlocks?: Limit
  /** Logs in one reply. */
  readonly logs?: Limit
  readonly logsWithoutAddress?: ProviderError
  /** Calls in one POST. `body` replaces an error without an id for the whole batch; a text is an HTML page. */
  readonly batch?: Limit & { readonly body?: unknown }
  readonly edge?: Edge
  /** Refuses requests without a User-Agent. */
  readonly wantsUserAgent?: true
}

export type RealName = keyof typeof profiles

/** Nodes by their name in the demo and the tests. Sources of figures and messages: docs/nodes.md. */
export const clientProfiles = profiles as unknown as Readonly<Record<RealName, RealNode>>

export const realNames = Object.keys(clientProfiles) as [RealName, ...RealName[]]
