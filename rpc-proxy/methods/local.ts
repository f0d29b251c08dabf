import { prefix } from '../runtime/names.ts'
import { digestOf } from '../wire/rlp.ts'

/**
 * What web3_clientVersion tells callers, and User-Agent tells nodes.
 *
 * @example
 * const headers = { 'user-agent': clientVersion } // 'quorate/0.1.0'
 */
export const clientVersion = `${prefix}/0.1.0`

/** A quantity as JSON text. */
export function hexText(value: number | bigint): string {
  return `"0x${value.toString(16)}"`
}

/** What an answer of our own may depend on. */
export interface LocalContext {
  readonly chainId: number
  /** Nodes that are configured for the chain. */
  readonly nodes: number
  /** Canonical. */
  readonly params: readonly unknown[]
}

/** An answer that needs no node, as JSON text. */
export type OwnReply = (here: LocalContext) => string

export const chainId: OwnReply = (here) => hexText(here.chainId)
export const networkId: OwnReply = (here) => `"${here.chainId}"`
/** A count of zero is read as a node without peers, which health checks report. */
export const peerCount: OwnReply = ({ nodes }) => hexText(nodes)
export const version: OwnReply = () => `"${clientVersion}"`
export const sha3: OwnReply = ({ params }) => `"${digestOf(String(params[0]))}"`
export const always =
  (text: string): OwnReply =>
  () =>
    text
