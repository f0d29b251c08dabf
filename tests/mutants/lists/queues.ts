import type { Mutant } from '../mutant.ts'

export const queues: readonly Mutant[] = []
