import type { Hex } from 'viem'
import type { CallArgument } from './call-label.ts'
import type { TokenLabel } from './reviewed.ts'

/** An amount as a descriptor names it: which token, and how many of its smallest units. */
export interface DescribedAmount {
  /** Null for the chain's coin. */
  readonly token: Hex | null
  /** Null where the token does not say how its amounts are written. */
  readonly label: TokenLabel | null
  /** Null where the token alone is named. */
  readonly units: bigint | null
}

/** Text, and amounts that are written in the visitor's language. */
export type DescribedText = readonly (string | DescribedAmount)[]

/** Of the fork's `contracts/descriptors.ts`. */
export interface ContractDescriptor {
  /** JSON of ERC-7730: the parts that are read. */
  readonly descriptor: {
    readonly context?: {
      readonly contract?: {
        readonly deployments?: readonly { readonly chainId?: number; readonly address?: string }[]
      }
    }
    readonly metadata?: { readonly constants?: Readonly<Record<string, unknown>> }
    readonly display?: {
      readonly definitions?: Readonly<Record<string, object>>
      readonly formats?: Readonly<
        Record<string, { readonly intent?: unknown; readonly fields?: readonly object[] }>
      >
    }
  }
  /** What its constants are on the local chains. */
  readonly local?: Readonly<Record<string, string>>
}

/** A call in the words of its descriptor (ERC-7730). It says what is signed, not what it does: that is simulated. */
export interface CallDisplay {
  readonly sentence: DescribedText
  readonly fields: readonly {
    readonly label: string
    readonly value: DescribedText
    readonly address?: string
  }[]
  /** The arguments that no field has, or only in part. */
  readonly omitted: readonly CallArgument[]
  /** The amounts of the fields. */
  readonly amounts: readonly (DescribedAmount & { readonly units: bigint })[]
  /** The function, and all its arguments. */
  readonly name: string
  readonly args: readonly CallArgument[]
}
