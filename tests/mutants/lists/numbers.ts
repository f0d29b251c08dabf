import type { Mutant } from '../mutant.ts'

export const numbers: readonly Mutant[] = []
