import type { Metadata } from 'next'
import { readAnswer } from '#lib/engine/engine-reads.ts'
import { answerTexts } from '#lib/page/texts/answer.ts'
import { CertificateView } from '../../../_operator/certificate-view.tsx'
import { PageLink } from '../../../_ui/page-link.tsx'
import { OperatorOnly } from '../../_status/login-form.tsx'
import { chainName, readViewer } from '../../_status/viewer.ts'
import styles from './answer.module.css'

export const metadata: Metadata = { title: answerTexts.title }

/** The page of one answer with its certificate. */
export default async function AnswerPage({ params }: { params: Promise<{ readonly id: string }> }) {
  const { verdict, cookie, figures } = await readViewer()
  const certificate = cookie === null ? 'refused' : await readAnswer((await params).id, cookie)
  const isFound = certificate !== null && typeof certificate !== 'string'
  return (
    <section className={styles.answer}>
      <PageLink href="/status">{answerTexts.back}</PageLink>
      <h1>{isFound ? certificate.method : answerTexts.title}</h1>
      {certificate === 'refused' && <OperatorOnly verdict={verdict} />}
      {certificate === null && <p>{answerTexts.unread}</p>}
      {certificate === 'gone' && <p>{answerTexts.gone}</p>}
      {isFound && (
        <>
          <p>{chainName(certificate.chainId)}</p>
          <h2>{answerTexts.rests}</h2>
          <CertificateView {...certificate} figures={figures} />
        </>
      )}
    </section>
  )
}
