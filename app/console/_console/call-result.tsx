import type { ConsoleReply } from '#lib/console/send-call.ts'
import { type Figures, formatMs } from '#lib/page/format.ts'
import { answerTexts } from '#lib/page/texts/answer.ts'
import { consoleTexts } from '#lib/page/texts/console.ts'
import { features } from '#site'
import { CertificateView } from '../../_operator/certificate-view.tsx'
import { PageLink } from '../../_ui/page-link.tsx'
import { ScrollRegion } from '../../_ui/scroll-region.tsx'
import styles from './console.module.css'

/** A longer answer would block the page. The copied command returns all of it. */
const charsMax = 50_000

/** The answer and its certificate. */
export function Outcome({ sent, figures }: { sent: ConsoleReply | null; figures: Figures }) {
  return (
    <div className={styles.outcome}>
      <section aria-label={consoleTexts.answer}>
        <h2>{consoleTexts.answer}</h2>
        {/* Screen readers announce only this line. The element must exist before its text changes. */}
        <p role="status" className={styles.status} data-bad={sent !== null && isBad(sent)}>
          {sent === null
            ? consoleTexts.nothingYet
            : sent.status === null
              ? consoleTexts.unreachable
              : consoleTexts.status(sent.status, formatMs(sent.tookMs))}
        </p>
        {sent !== null && <Answer sent={sent} figures={figures} />}
      </section>
      {sent !== null && <Rests sent={sent} figures={figures} />}
    </div>
  )
}

const isBad = ({ reply }: ConsoleReply) => reply === undefined || 'error' in reply

function Answer({ sent: { status, reply }, figures }: { sent: ConsoleReply; figures: Figures }) {
  if (reply === undefined) return status !== null && <p>{consoleTexts.odd}</p>
  const text = JSON.stringify('error' in reply ? reply.error : reply.result, null, 2)
  return (
    <>
      <ScrollRegion label={consoleTexts.json} className={styles.json}>
        <pre>{text.slice(0, charsMax)}</pre>
      </ScrollRegion>
      {text.length > charsMax && <p>{consoleTexts.shortened(figures.block(text.length))}</p>}
    </>
  )
}

function Rests({ sent: { reply, answer, certificate }, figures }: { sent: ConsoleReply; figures: Figures }) {
  return (
    <section aria-label={answerTexts.rests}>
      <h2>{answerTexts.rests}</h2>
      {answer === null && reply !== undefined && <p>{consoleTexts.noCertificate}</p>}
      {answer !== null && features.status && (
        <p>
          <PageLink href={`/status/answers/${answer}`}>{consoleTexts.permalink}</PageLink>
        </p>
      )}
      {certificate !== null && <CertificateView {...certificate} figures={figures} />}
    </section>
  )
}
