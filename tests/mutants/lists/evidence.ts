import type { Mutant } from '../mutant.ts'

export const evidence: readonly Mutant[] = []
