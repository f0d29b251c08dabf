import type { PublicCertificate } from './public-certificate.ts'

/** Rules that put the result together of what several operators sent: their votes differ from it, and contradict it not. */
const derivingRules = ['parts', 'highest-reached', 'between-quorums', 'confirmed']

export function isDerived({ rule }: Pick<PublicCertificate, 'rule'>): boolean {
  return derivingRules.includes(rule)
}
