/** Why what a node sent is not believed; each is a fault of it. */
type VerificationFault =
  /** Not of its type, or not RLP in its only spelling. */
  | 'malformed'
  | 'wrong-address'
  /** Other slots than those asked for, or in another order. */
  | 'wrong-slots'
  | 'wrong-code'
  | 'too-large'
  /** The proof ends before it shows a value or its absence. */
  | 'cut-short'
  /** A node that does not hash to what refers to it. */
  | 'wrong-node'
  /** Nodes after the one that decides. */
  | 'extra-node'
  /** Hashed to its reference, yet no node of a trie with keys of 32 bytes. */
  | 'bad-node'
  | 'bad-path'
  /** A leaf that holds no account or no slot value in its only spelling. */
  | 'bad-value'

/** A value that follows from the agreed header, or why it does not. */
export type Verified<Value> = { readonly verified: Value } | { readonly fault: VerificationFault }

class Unverified extends Error {
  readonly fault: VerificationFault
  constructor(fault: VerificationFault) {
    super(fault)
    this.fault = fault
  }
}

/** Ends a verification; to be called inside `verifying` alone. */
export function fail(fault: VerificationFault): never {
  throw new Unverified(fault)
}

/** What `verify` returns, or the fault by which it ended: whatever a node sent, nothing is thrown. */
export function verifying<Value>(verify: () => Value): Verified<Value> {
  try {
    return { verified: verify() }
  } catch (error) {
    return { fault: error instanceof Unverified ? error.fault : 'malformed' }
  }
}
