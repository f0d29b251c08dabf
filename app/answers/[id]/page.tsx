import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { readKnownCall } from '#lib/certificate/known-call.ts'
import { env } from '#lib/config/env.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import { readEvidence } from '#lib/engine/engine-reads.ts'
import { pageCaller } from '#lib/engine/page-caller.ts'
import { createFigures, numberMarks } from '#lib/page/format.ts'
import { answerTexts } from '#lib/page/texts/answer.ts'
import { evidenceTexts } from '#lib/page/texts/evidence.ts'
import { EvidenceChecks } from '../../_evidence/evidence-checks.tsx'
import { EvidenceView } from '../../_evidence/evidence-view.tsx'
import styles from './evidence-page.module.css'

export const metadata: Metadata = { title: evidenceTexts.title, robots: { index: false } }

type Query = Readonly<Record<'method' | 'params' | 'result', string | string[] | undefined>>

interface Given {
  readonly params: Promise<{ readonly id: string }>
  readonly searchParams: Promise<Query>
}

/** Why one answer is believed: for everybody who has its link. The checks are the browser's. */
export default async function EvidencePage({ params, searchParams }: Given) {
  const { PUBLIC_EVIDENCE, GATEWAY_URL } = env()
  if (!PUBLIC_EVIDENCE) notFound()
  const { id } = await params
  const given = await headers()
  const certificate = await readEvidence(id, pageCaller(given.get('x-forwarded-for')))
  if (certificate === null || typeof certificate === 'string')
    return (
      <section className={styles.page}>
        <h1>{evidenceTexts.title}</h1>
        <p className={styles.gone}>{certificate === 'gone' ? evidenceTexts.gone : answerTexts.unread}</p>
      </section>
    )
  const call = await readKnownCall(certificate, await searchParams)
  const chain = chains().find(({ id }) => id === certificate.chainId)
  const chainName = chain?.name ?? String(certificate.chainId)
  const figures = createFigures(numberMarks(given.get('accept-language')))
  return (
    <section className={styles.page}>
      <EvidenceView
        certificate={certificate}
        call={call}
        chainName={chainName}
        coin={chain?.currency ?? null}
        figures={figures}
      />
      <EvidenceChecks certificate={certificate} gateway={GATEWAY_URL ?? ''} />
    </section>
  )
}
