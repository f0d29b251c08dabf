'use client'

import { useQuery } from '@tanstack/react-query'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import type { PublicCertificate } from '#lib/certificate/public-certificate.ts'
import { checkText, evidenceCheckTexts, evidenceTexts } from '#lib/page/texts/evidence.ts'
import { isRecord } from '#lib/parse-json.ts'
import { CopyButton } from '../_home/copy-button.tsx'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import { LoadFailed } from '../_ui/load-failed.tsx'
import styles from './evidence-checks.module.css'

interface ChecksProps {
  readonly certificate: PublicCertificate
  /** The origin of the gateway; empty for this site. */
  readonly gateway: string
}

/** The checks of the browser. */
export function EvidenceChecks({ certificate, gateway }: ChecksProps) {
  return (
    <section className={styles.section}>
      <h2>{evidenceCheckTexts.check}</h2>
      <p>{evidenceCheckTexts.checkStory}</p>
      <Checks certificate={certificate} gateway={gateway} />
      <p>{evidenceTexts.lifetime}</p>
      <p className={styles.links}>
        <a href={`${gateway}/api/rpc/answers/${encodeURIComponent(certificate.id)}/evidence`}>
          {evidenceCheckTexts.file}
        </a>
        <a href={`${gateway}${keysPath}`}>{evidenceCheckTexts.keys}</a>
        <span>
          <span>{evidenceCheckTexts.copyLink}</span>{' '}
          <CopyButton
            text={typeof location === 'undefined' ? '' : location.href}
            label={evidenceCheckTexts.copyLink}
          />
        </span>
      </p>
    </section>
  )
}

const keysPath = '/.well-known/quorate.json'

/** What checks a proof, which few certificates have. The checker imports it again, and finds it loaded. */
const proofCode = lazyCode('check-proof', () => import('#lib/certificate/check-proof.ts'))

function Checks({ certificate, gateway }: ChecksProps) {
  const isWanted = certificate.proof !== null
  const { module, isFailed, load } = useCode(proofCode, { isWanted })
  const { data: checked } = useQuery({
    queryKey: ['evidence-check', certificate.id],
    async queryFn() {
      // Web Crypto is for pages over https.
      return isSecureContext ? checkCertificate(certificate, await publishedKey(gateway)) : null
    },
    enabled: !isWanted || module !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isFailed) return <LoadFailed text={evidenceCheckTexts.checkFailed} onRetry={load} />
  if (!checked) return <p>{checked === null ? evidenceCheckTexts.insecure : evidenceCheckTexts.checking}</p>
  return (
    <div role="status">
      <p className={styles.verdict} data-verdict={checked.verdict}>
        {evidenceCheckTexts.verdict[checked.verdict]}
      </p>
      <ul className={styles.checks}>
        {checked.checks.map((check) => (
          <li key={check.name} data-state={check.state}>
            {checkText(check)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Null where the gateway publishes none, or cannot be reached. */
async function publishedKey(gateway: string): Promise<string | null> {
  try {
    const published: unknown = await (await fetch(`${gateway}${keysPath}`)).json()
    const [key] = isRecord(published) && Array.isArray(published.keys) ? (published.keys as unknown[]) : []
    return isRecord(key) && typeof key.publicKey === 'string' ? key.publicKey : null
  } catch {
    return null
  }
}
