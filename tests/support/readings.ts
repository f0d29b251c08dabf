import type { ReadFailure, Reading } from '#lib/page/reading.ts'

/** What two operators agree on at block 9. */
export const agreed = (value: unknown): Reading => ({
  state: 'agreed',
  value,
  quorum: { operators: 2, dissenting: 0, unreached: 0 },
  block: 9,
  answer: 'a',
})

/** What the nodes give no answer to. */
export const refused = (why: ReadFailure): Reading => ({ state: 'refused', why, answer: null })
