import type { Metadata } from 'next'
import { env } from '#lib/config/env.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import { readScorecard } from '#lib/engine/engine-reads.ts'
import { isScorecardRange } from '#lib/engine/scorecard.ts'
import { scorecardTexts } from '#lib/page/texts/scorecard.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import page from '../../_ui/page.module.css'
import { PageLink } from '../../_ui/page-link.tsx'
import { OperatorOnly } from '../_status/login-form.tsx'
import styles from '../_status/score-table.module.css'
import { ScoreTable } from '../_status/score-table.tsx'
import { ScorecardNav } from '../_status/scorecard-nav.tsx'
import { readViewer } from '../_status/viewer.ts'

export const metadata: Metadata = { title: scorecardTexts.title }

interface ScorecardPageProps {
  readonly searchParams: Promise<Readonly<Record<string, unknown>>>
}

/** How nodes and operators compare over a day, a week or a month. */
export default async function ScorecardPage({ searchParams }: ScorecardPageProps) {
  const { verdict, cookie, figures } = await readViewer()
  const { last } = await searchParams
  const range = isScorecardRange(last) ? last : '24h'
  const scorecard = cookie === null ? 'refused' : await readScorecard(range, cookie)
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
