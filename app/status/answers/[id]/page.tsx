import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { chains } from '#lib/engine/chain-facts.ts'
import { readAnswer } from '#lib/engine/engine-reads.ts'
import { operatorBySession } from '#lib/operator/operator.ts'
import { operatorCookies } from '#lib/operator/operator-session.ts'
import { createFigures, numberMarks } from '#lib/page/format.ts'
import { answerTexts } from '#lib/page/texts/answer.ts'
import { CertificateView } from '../../../_operator/certificate-view.tsx'
import { PageLink } from '../../../_ui/page-link.tsx'
import { OperatorOnly } from '../../_status/login-form.tsx'
import styles from './answer.module.css'

export const metadata: Metadata = { title: answerTexts.title }

/** The page of one answer with its certificate. */
export default async function AnswerPage({ params }: { params: Promise<{ readonly id: string }> }) {
  const given = await headers()
  const cookies = given.get('cookie') ?? ''
  const verdict = operatorBySession(cookies)
  const isOperator = verdict === 'open' || verdict === 'yes'
  const certificate = isOperator ? await readAnswer((await params).id, operatorCookies(cookies)) : 'refused'
  return (
    <section className={styles.answer}>
      <PageLink href="/status">{answerTexts.back}</PageLink>
      {certificate === 'refused' && (
        <>
          <h1>{answerTexts.title}</h1>
          <OperatorOnly verdict={verdict} />
        </>
      )}
      {(certificate === null || certificate === 'gone') && (
        <>
          <h1>{answerTexts.title}</h1>
          <p>{certificate === null ? answerTexts.unread : answerTexts.gone}</p>
        </>
      )}
      {certificate !== null && typeof certificate !== 'string' && (
        <>
          <h1>{certificate.method}</h1>
          <p>{chains().find(({ id }) => id === certificate.chainId)?.name ?? certificate.chainId}</p>
          <h2>{answerTexts.rests}</h2>
          <CertificateView
            certificate={certificate}
            figures={createFigures(numberMarks(given.get('accept-language')))}
          />
        </>
      )}
    </section>
  )
}
