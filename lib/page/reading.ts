/** Who stands behind one answer, in operators. */
export interface Quorum {
  readonly operators: number
  /** Operators that contradicted the answer. Those that were not asked are neither. */
  readonly dissenting: number
  /** Operators that a thin result lacks: they could not be reached, and the others alone agree, which a lie may too. Otherwise 0. */
  readonly unreached: number
  /** One node proved it against a block on which these operators agree. */
  readonly isProven?: true
}

/** The quorum that the weakest of several answers has, with every dissent, and everybody out of reach; null where one of them is unknown. */
export function weakestOf(quorums: readonly (Quorum | null)[]): Quorum | null {
  const known = quorums.filter((quorum) => quorum !== null)
  if (known.length === 0 || known.length < quorums.length) return null
  return {
    operators: Math.min(...known.map(({ operators }) => operators)),
    dissenting: Math.max(...known.map(({ dissenting }) => dissenting)),
    unreached: Math.max(...known.map(({ unreached }) => unreached)),
    ...(known.every(({ isProven }) => isProven) && { isProven: true }),
  }
}

/** Why there is no agreed answer. The texts have a sentence for each. */
export type ReadFailure =
  | 'disagree'
  | 'silent'
  | 'heads'
  | 'thin'
  | 'unproven'
  | 'busy'
  | 'unreachable'
  | 'refused'

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
  | {
      readonly state: 'refused'
      readonly why: ReadFailure
      readonly answer: string | null
      /** The range of blocks was too long; so many are taken. */
      readonly blocksMax?: number
    }

/** Undefined: not agreed. */
export function agreedValue(reading: Reading | undefined): unknown {
  return reading?.state === 'agreed' ? reading.value : undefined
}

export interface ReadCall {
  readonly method: string
  readonly params: readonly unknown[]
}

export const waiting: Reading = { state: 'waiting' }

/** Asks a chain questions that read the same block. Never throws: what goes wrong is a reading. */
export type ReadCalls = (calls: readonly ReadCall[]) => Promise<readonly Reading[]>

/** The same of any chain. */
export type ReadChain = (chainId: number, calls: readonly ReadCall[]) => Promise<readonly Reading[]>

/** The reply to one call, and the response that it came in; without a response the gateway was not reached. */
export interface Replied {
  readonly reply: unknown
  readonly response: Pick<Response, 'status' | 'statusText' | 'headers'> | null
}

/** Replies to calls, in their order. */
export type PostReads = (calls: readonly ReadCall[]) => Promise<readonly Replied[]>
