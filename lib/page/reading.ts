/** The weights behind one answer. */
export interface Quorum {
  readonly agreed: number
  readonly needed: number
  readonly total: number
}

/** Why there is no agreed answer. The texts have a sentence for each. */
export type Refusal = 'disagree' | 'silent' | 'heads' | 'busy' | 'unreachable' | 'refused'

/** One read of a chain. */
export type Reading =
  | { readonly state: 'waiting' }
  | {
      readonly state: 'agreed'
      readonly value: unknown
      readonly quorum: Quorum | null
      readonly block: number | null
      readonly answer: string | null
    }
  | { readonly state: 'refused'; readonly why: Refusal; readonly answer: string | null }

export interface Question {
  readonly method: string
  readonly params: readonly unknown[]
}

export const waiting: Reading = { state: 'waiting' }
