import type { Question } from './reading.ts'

/** What is asked of a chain for its card, in one batch. */
export function cardQuestions(address: string | undefined): readonly Question[] {
  const head = { method: 'eth_blockNumber', params: [] }
  return address ? [head, { method: 'eth_getBalance', params: [address, 'latest'] }] : [head]
}
