import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { Suspense } from 'react'
import { chains } from '#lib/chains.ts'
import { type OperatorVerdict, operatorBySession } from '#lib/operator.ts'
import { operatorCookies } from '#lib/operator-session.ts'
import { createFigures, type Figures, numberMarks } from '#lib/page/format.ts'
import { gatherHealths } from '#lib/page/gather.ts'
import type { Healths } from '#lib/page/healths.ts'
import { soon } from '#lib/page/soon.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { readSnapshot, type Snapshot } from '#lib/read.ts'
import { AutoRefresh } from './_status/auto-refresh.tsx'
import { ChainNodes } from './_status/chain-nodes.tsx'
import { LoginForm, type LoginProblem } from './_status/login-form.tsx'
import { LogoutForm } from './_status/logout-form.tsx'
import { PublicHealth } from './_status/public-health.tsx'
import styles from './_status/status.module.css'
import { Summary } from './_status/summary.tsx'

export const metadata: Metadata = { title: statusTexts.title }

const healthWithinMs = 3000

export default async function StatusPage({ searchParams }: { searchParams: Promise<{ login?: string }> }) {
  const given = await headers()
  const cookies = given.get('cookie') ?? ''
  const figures = createFigures(numberMarks(given.get('accept-language')))
  const verdict = operatorBySession(cookies)
  const problem = problemOf((await searchParams).login)
  const seen = await soon(look(cookies, verdict === 'open' || verdict === 'yes'))
  const show = (it: Seen) => <Nodes seen={it} verdict={verdict} problem={problem} figures={figures} />
  return (
    <>
      <section className={styles.top}>
        <h1>{statusTexts.title}</h1>
        <p>{statusTexts.story}</p>
        <div className={styles.tools}>
          <AutoRefresh />
        </div>
      </section>
      <Suspense fallback={<p data-streamed>{statusTexts.looking}</p>}>
        {'now' in seen ? show(seen.now) : seen.later.then(show)}
      </Suspense>
    </>
  )
}

interface Seen {
  readonly healths: Healths
  readonly snapshot: Snapshot | 'refused' | null
}

async function look(cookies: string, isOperator: boolean): Promise<Seen> {
  // Health first: it looks at heads that have grown old, and the snapshot shows them.
  const healths = await gatherHealths(healthWithinMs)
  return { healths, snapshot: isOperator ? await readSnapshot(operatorCookies(cookies)) : 'refused' }
}

interface NodesProps {
  readonly seen: Seen
  readonly verdict: OperatorVerdict
  readonly problem: LoginProblem | null
  readonly figures: Figures
}

function Nodes({ seen: { healths, snapshot }, verdict, problem, figures }: NodesProps) {
  const facts = chains()
  if (snapshot === 'refused') {
    return (
      <>
        <PublicHealth chains={facts} healths={healths} />
        {verdict !== 'hidden' && <LoginForm problem={problem} />}
      </>
    )
  }
  return (
    <>
      {verdict === 'yes' && <LogoutForm />}
      {!snapshot && <p className={styles.unreachable}>{statusTexts.unreachable}</p>}
      {snapshot && <Summary chains={snapshot.chains} facts={facts} />}
      {snapshot?.chains.map((chain) => (
        <ChainNodes
          key={chain.chainId}
          chain={chain}
          facts={facts.find(({ id }) => id === chain.chainId)}
          figures={figures}
          atMs={snapshot.atMs}
        />
      ))}
    </>
  )
}

function problemOf(login: string | undefined): LoginProblem | null {
  return login === 'wrong' || login === 'later' ? login : null
}
