import type { Mutant } from '../mutant.ts'

/** State that one node proves. */
export const proofs: readonly Mutant[] = [
  {
    name: 'takes a node of a proof that does not hash to what refers to it',
    file: 'proofs/trie-walk.ts',
    in: 'follow',
    edit: { kind: 'condition', mentions: 'keccak', value: 'false' },
    breaks: ['proven', 'S24'],
    by: 'properties/proofs.test.ts',
  },
  {
    name: 'lets a quorum answer where a proof is required',
    file: 'calls/proven-read.ts',
    in: 'provableIn',
    edit: { kind: 'condition', mentions: 'isRequired', value: 'false' },
    breaks: ['unproven', 'S24'],
    by: 'scenarios/proofs.test.ts',
  },
]
