import type { Mutant } from '../mutant.ts'

export const forms: readonly Mutant[] = []
