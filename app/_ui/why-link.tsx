import type { KnownCall } from '#lib/certificate/proven-call.ts'
import { answerPath } from '#lib/page/answer-path.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { useSite } from '../_wallet/wallet.ts'
import styles from './why-link.module.css'

interface WhyLinkProps {
  /** Null from a gateway that does not say. */
  readonly certificateId: string | null
  /** What the figure answers, where the link tells it. */
  readonly call?: KnownCall | null
  /** What it explains, for its accessible name: a page has several. */
  readonly of: string
  /** Where several links stand beside each other. */
  readonly text?: string
}

/** Leads from a figure to the page that explains why it is believed, in a new tab: that page may not be framed, and a review stays open. */
export function WhyLink({ certificateId, call = null, of, text = chainTexts.why }: WhyLinkProps) {
  const { hasEvidence } = useSite()
  return (
    hasEvidence &&
    certificateId && (
      <a
        className={styles.why}
        href={answerPath(certificateId, call)}
        target="_blank"
        rel="noopener"
        aria-label={chainTexts.whyOf(of)}
      >
        {text}
      </a>
    )
  )
}
