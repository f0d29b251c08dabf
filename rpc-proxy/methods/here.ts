import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { CallError } from '../errors.ts'
import { prefix } from '../names.ts'

/** What web3_clientVersion tells callers, and User-Agent tells nodes. */
export const clientVersion = `${prefix}/0.1.0`

/** A quantity as JSON text. */
export function hexText(value: number | bigint): string {
  return `"0x${value.toString(16)}"`
}

/** What an answer of our own may depend on. */
export interface Here {
  readonly chainId: number
  /** Nodes that are configured for the chain. */
  readonly nodes: number
  /** Canonical. */
  readonly params: readonly unknown[]
}

/** What is known without asking anybody, as JSON text. */
export function answerHere(method: string, here: Here): string {
  const answer = answers[method]
  if (answer === undefined) throw new CallError('breach', { detail: `no answer of our own for ${method}` })
  return answer(here)
}

const answers: Readonly<Record<string, (here: Here) => string>> = {
  eth_chainId: ({ chainId }) => hexText(chainId),
  eth_accounts: () => '[]',
  net_version: ({ chainId }) => `"${chainId}"`,
  net_listening: () => 'true',
  // A count of zero is read as a node without peers, which health checks report.
  net_peerCount: ({ nodes }) => hexText(nodes),
  web3_clientVersion: () => `"${clientVersion}"`,
  web3_sha3: ({ params }) => `"0x${bytesToHex(keccak_256(hexToBytes(String(params[0]).slice(2))))}"`,
  eth_syncing: () => 'false',
}
