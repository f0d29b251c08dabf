import { headers } from 'next/headers'
import { chains } from '#lib/chains.ts'
import { operatorBySession } from '#lib/operator.ts'
import { operatorCookies } from '#lib/operator-session.ts'
import { createFigures, numberMarks } from '#lib/page/format.ts'
import { gatherHealths } from '#lib/page/gather.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { readSnapshot } from '#lib/read.ts'
import { AutoRefresh } from './_status/auto-refresh.tsx'
import { ChainNodes } from './_status/chain-nodes.tsx'
import { LoginForm, type LoginProblem } from './_status/login-form.tsx'
import { LogoutForm } from './_status/logout-form.tsx'
import { PublicHealth } from './_status/public-health.tsx'
import styles from './_status/status.module.css'

const healthWithinMs = 3000

export default async function StatusPage({ searchParams }: { searchParams: Promise<{ login?: string }> }) {
  const given = await headers()
  const cookies = given.get('cookie') ?? ''
  const figures = createFigures(numberMarks(given.get('accept-language')))
  const verdict = operatorBySession(cookies)
  const isOperator = verdict === 'open' || verdict === 'yes'
  // Health first: it looks at heads that have grown old, and the snapshot shows them.
  const healths = await gatherHealths(healthWithinMs)
  const snapshot = isOperator ? await readSnapshot(operatorCookies(cookies)) : 'refused'
  const mayLook = snapshot !== 'refused'
  const facts = chains()
  return (
    <>
      <section className={styles.top}>
        <h1>{statusTexts.title}</h1>
        <p>{statusTexts.story}</p>
        <div className={styles.tools}>
          <AutoRefresh />
          {mayLook && verdict === 'yes' && <LogoutForm />}
        </div>
      </section>
      {!mayLook && <PublicHealth chains={facts} healths={healths} />}
      {!mayLook && verdict !== 'hidden' && <LoginForm problem={problemOf((await searchParams).login)} />}
      {mayLook && !snapshot && <p className={styles.unreachable}>{statusTexts.unreachable}</p>}
      {mayLook &&
        snapshot?.chains.map((chain) => (
          <ChainNodes
            key={chain.chainId}
            chain={chain}
            facts={facts.find(({ id }) => id === chain.chainId)}
            figures={figures}
          />
        ))}
    </>
  )
}

function problemOf(login: string | undefined): LoginProblem | null {
  return login === 'wrong' || login === 'later' ? login : null
}
