import { CallError } from '../errors.ts'
import { prefix } from '../names.ts'

/** The version that web3_clientVersion tells. */
export const version = '0.1.0'

/** A quantity as JSON text. */
export function hexText(value: number | bigint): string {
  return `"0x${value.toString(16)}"`
}

/** What is known without asking anybody, as JSON text. */
export function answerHere(method: string, chainId: number): string {
  const answer = answers[method]
  if (answer === undefined) throw new CallError('breach', { detail: `no answer of our own for ${method}` })
  return answer(chainId)
}

const answers: Readonly<Record<string, (chainId: number) => string>> = {
  eth_chainId: hexText,
  net_version: (chainId) => `"${chainId}"`,
  net_listening: () => 'true',
  web3_clientVersion: () => `"${prefix}/${version}"`,
  eth_syncing: () => 'false',
}
