import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { env } from '#lib/config/env.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import { readScorecard } from '#lib/engine/engine-reads.ts'
import { isScorecardRange } from '#lib/engine/scorecard.ts'
import { operatorBySession } from '#lib/operator/operator.ts'
import { operatorCookies } from '#lib/operator/operator-session.ts'
import { createFigures, numberMarks } from '#lib/page/format.ts'
import { scorecardTexts } from '#lib/page/texts/scorecard.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import page from '../../_ui/page.module.css'
import { PageLink } from '../../_ui/page-link.tsx'
import { OperatorOnly } from '../_status/login-form.tsx'
import styles from '../_status/score-table.module.css'
import { ScoreTable } from '../_status/score-table.tsx'
import { ScorecardNav } from '../_status/scorecard-nav.tsx'

export const metadata: Metadata = { title: scorecardTexts.title }

interface ScorecardPageProps {
  readonly searchParams: Promise<Readonly<Record<string, unknown>>>
}

/** How nodes and operators compare over a day, a week or a month. */
export default async function ScorecardPage({ searchParams }: ScorecardPageProps) {
  const given = await headers()
  const cookies = given.get('cookie') ?? ''
  const verdict = operatorBySession(cookies)
  const { last } = await searchParams
  const range = isScorecardRange(last) ? last : '24h'
  const isOperator = verdict === 'open' || verdict === 'yes'
  const scorecard = isOperator ? await readScorecard(range, operatorCookies(cookies)) : 'refused'
  const figures = createFigures(numberMarks(given.get('accept-language')))
  return (
    <>
      <section className={styles.top}>
        <PageLink href="/status">{scorecardTexts.back}</PageLink>
        <h1 className={page.title}>{scorecardTexts.title}</h1>
        <p>{scorecardTexts.story}</p>
      </section>
      {scorecard === 'refused' && <OperatorOnly verdict={verdict} />}
      {scorecard === null && <p>{statusTexts.unreachable}</p>}
      {scorecard !== null && scorecard !== 'refused' && (
        <>
          <ScorecardNav scorecard={scorecard} downloads={env().GATEWAY_URL === undefined} />
          {chains().map(({ id, name }) => {
            const rows = scorecard.nodes.filter(({ chainId }) => chainId === id)
            return <ScoreTable key={id} name={name} rows={rows} scorecard={scorecard} figures={figures} />
          })}
          <ScoreTable
            name={scorecardTexts.operators}
            rows={scorecard.operators}
            scorecard={scorecard}
            figures={figures}
          />
        </>
      )}
    </>
  )
}
