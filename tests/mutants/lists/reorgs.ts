import type { Mutant } from '../mutant.ts'

export const reorgs: readonly Mutant[] = []
