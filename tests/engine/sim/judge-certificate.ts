import { areVotesConsistent } from '#lib/certificate/check-certificate.ts'
import { publicCertificate } from '#lib/certificate/public-certificate.ts'
import type { Gateway } from '#rpc-proxy'
import { mayTighten } from './bars.ts'
import type { JudgedCall, Report } from './judged-call.ts'

/** The certificate has the result of the response, does not contradict itself, and has the block of an everyday result. */
export function judgeCertificate(
  { chain, entry, reply }: JudgedCall,
  certificateOf: Gateway['certificate'],
  report: Report,
): void {
  // That of a transaction grows while it is sent on.
  if (entry.agreement === 'broadcast' || reply.answer === null || reply.policy === null) return
  const certificate = certificateOf(reply.answer)
  // It may be gone already.
  if (certificate === null) return
  const shown = [
    certificate.policy,
    certificate.isThin,
    certificate.agreed,
    certificate.needed,
    certificate.total,
  ]
  const expected = [reply.policy, reply.isThin, reply.agreed, reply.needed, reply.total]
  if (String(shown) !== String(expected))
    report('S22', `${entry.text} is ${expected}, and by its certificate ${shown}`)
  if (!areVotesConsistent(publicCertificate(certificate, null)))
    report('S22', `${entry.text}: a check refuses its votes under the rule ${certificate.ruleId}`)
  if (entry.method !== 'eth_getBlockByNumber' || reply.policy !== 'everyday' || !mayTighten(chain)) return
  const { number, hash } = (reply.result ?? {}) as { readonly number?: string; readonly hash?: string }
  const { block } = certificate
  if (
    reply.cache === 'miss' &&
    block?.hash != null &&
    Number(number) === block.number &&
    hash?.toLowerCase() !== block.hash
  )
    report('S22', `${entry.text} is block ${hash}, and by its certificate ${block.hash} is agreed on`)
}
