import type { z } from 'zod'
import type { callerSchema, chainSchema, nodeSchema, rootSchema } from './fields.ts'

// What the schemas of `fields.ts` make of a configuration: each setting has its text, its bounds and its default there.

type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value

/** One endpoint. Quantities carry their unit in their name. */
export type NodeConfig = Frozen<z.output<typeof nodeSchema>>

type ChainFields = Frozen<z.output<typeof chainSchema>>
export interface ChainConfig extends Omit<ChainFields, 'quorum' | 'nodes'> {
  readonly quorum: number
  /** Weight of all voting operators, each as its heaviest enabled voter. */
  readonly total: number
  readonly nodes: readonly NodeConfig[]
}

/** A caller with a key. Units are what calls cost. */
export interface CallerConfig extends Omit<Frozen<z.output<typeof callerSchema>>, 'key' | 'keyHash'> {
  readonly keyHash: string
}

export interface Config extends Omit<Frozen<z.output<typeof rootSchema>>, 'chains' | 'callers'> {
  readonly chains: readonly ChainConfig[]
  readonly callers: readonly CallerConfig[]
}
