'use client'

import type { KnownCall } from '#lib/certificate/known-call.ts'
import { answerPath } from '#lib/page/answer-path.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { PageLink } from './page-link.tsx'
import styles from './why-link.module.css'

interface WhyLinkProps {
  /** Null from a gateway that does not say. */
  readonly certificateId: string | null
  readonly call: KnownCall | null
}

/** Leads from a figure to the page that explains why it is believed. */
export function WhyLink({ certificateId, call }: WhyLinkProps) {
  return (
    certificateId && (
      <PageLink className={styles.why} href={answerPath(certificateId, call)} aria-label={chainTexts.why}>
        {chainTexts.whyShort}
      </PageLink>
    )
  )
}
