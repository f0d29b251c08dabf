import type { Mutant } from '../mutant.ts'

export const words: readonly Mutant[] = []
