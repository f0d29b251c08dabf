import { isRecord } from '../parse-json.ts'
import type { PublicCertificate } from './public-certificate.ts'
import { isResultOf, type ResultClaim } from './result-of.ts'

/** A call that a node of one's own is asked. */
export interface OwnCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A call with the agreed block in place of a tag, and its result; undefined where that is not told. */
export interface KnownCall extends OwnCall {
  readonly result: unknown
}

/**
 * The same question for another node: of a head, the block of that number. Null where its answer could not be compared: what was asked is
 * not known, there is no result, or what was proven is an account, of which it is a part.
 */
export function ownCallOf(certificate: PublicCertificate, known: KnownCall | null): OwnCall | null {
  const { method, block } = certificate
  if (method === 'eth_blockNumber')
    return block && { method: 'eth_getBlockByNumber', params: [`0x${block.number.toString(16)}`, false] }
  if (known === null) return null
  return isAskable(certificate) || (isOfAccount(certificate) && typeof known.result === 'string')
    ? { method: known.method, params: known.params }
    : null
}

/** Whether its params are all that is needed to compare what another node says. Nodes that were joined differ in a member that the result lacks. */
export function isAskable(certificate: PublicCertificate): boolean {
  const { resultSha256, paramsSha256, rule } = certificate
  return (
    resultSha256 !== null &&
    paramsSha256 !== null &&
    !['joined', 'head'].includes(rule) &&
    !isOfAccount(certificate)
  )
}

/** Whether another node's result is the one of the certificate. `shape`: that of the method's results. */
export async function isSameResult(
  certificate: PublicCertificate,
  known: KnownCall | null,
  { shape, result }: Pick<ResultClaim, 'shape' | 'result'>,
): Promise<boolean> {
  const { method, block } = certificate
  if (method === 'eth_blockNumber') return isRecord(result) && result.hash === block?.hash
  if (known === null) return false
  if (isOfAccount(certificate)) return result === known.result
  return isResultOf(certificate, { shape, result, params: known.params })
}

/** Whether what was proven is the state of accounts. */
function isOfAccount({ rule, proof, method }: PublicCertificate): boolean {
  const isState =
    proof === null ? stateMethods.includes(method) : proof.accounts.length > 0 && proof.code === null
  return rule === 'proven' && isState
}

const stateMethods = ['eth_getProof', 'eth_getStorageValues']
