import { heads } from './lists/heads.ts'
import { memory } from './lists/memory.ts'
import { policies } from './lists/policies.ts'
import { proofs } from './lists/proofs.ts'
import { replies } from './lists/replies.ts'
import { rounds } from './lists/rounds.ts'
import { rules } from './lists/rules.ts'
import { transactions } from './lists/transactions.ts'
import { votes } from './lists/votes.ts'
import type { Mutant } from './mutant.ts'

/** Every promise and rule of the engine, broken on purpose. */
export const mutants: readonly Mutant[] = [
  ...votes,
  ...policies,
  ...rules,
  ...transactions,
  ...replies,
  ...memory,
  ...heads,
  ...rounds,
  ...proofs,
]
