import type { Question } from './reading.ts'

/** The questions for a chain's card. */
export function cardQuestions(address: string | undefined): readonly Question[] {
  const head = { method: 'eth_blockNumber', params: [] }
  return address ? [head, { method: 'eth_getBalance', params: [address, 'latest'] }] : [head]
}
