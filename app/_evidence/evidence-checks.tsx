'use client'

import { useQuery } from '@tanstack/react-query'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import type { PublicCertificate } from '#lib/certificate/public-certificate.ts'
import { checkText, evidenceCheckTexts, evidenceTexts } from '#lib/page/texts/evidence.ts'
import { checkVersion } from '#lib/page/version.ts'
import { isRecord } from '#lib/parse-json.ts'
import { CopyButton } from '../_home/copy-button.tsx'
import { LoadFailed } from '../_ui/failure.tsx'
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

function Checks({ certificate, gateway }: ChecksProps) {
  const {
    data: checked,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['evidence-check', certificate.id],
    async queryFn() {
      // Web Crypto is for pages over https.
      if (!isSecureContext) return null
      try {
        return await checkCertificate(certificate, await publishedKey(gateway))
      } catch (error) {
        // A server with a newer build may no longer have the code of this one.
        await checkVersion()
        throw error
      }
    },
    retry: 1,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isError) return <LoadFailed text={evidenceCheckTexts.checkFailed} onRetry={() => void refetch()} />
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

/** Null if the gateway publishes no key. Throws if it returns no list of keys. */
async function publishedKey(gateway: string): Promise<string | null> {
  const published: unknown = await (await fetch(`${gateway}${keysPath}`)).json()
  if (!isRecord(published) || !Array.isArray(published.keys))
    throw new Error('the gateway returned no list of keys')
  const [key] = published.keys as unknown[]
  return isRecord(key) && typeof key.publicKey === 'string' ? key.publicKey : null
}
