import type { PublicCertificate } from './public-certificate.ts'

/** Rules whose result is derived from several votes. A vote may differ from the result and does not contradict it. */
const derivingRules = ['parts', 'highest-reached', 'between-quorums', 'confirmed']

export function isDerived({ rule }: Pick<PublicCertificate, 'rule'>): boolean {
  return derivingRules.includes(rule)
}
