import { headers } from 'next/headers'
import { chains } from '#lib/chains.ts'
import { operatorFrom } from '#lib/operator.ts'
import { gatherHealths } from '#lib/page/gather.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { readSnapshot } from '#lib/read.ts'
import { AutoRefresh } from './_status/auto-refresh.tsx'
import { ChainNodes } from './_status/chain-nodes.tsx'
import { LoginForm } from './_status/login-form.tsx'
import { PublicHealth } from './_status/public-health.tsx'
import styles from './_status/status.module.css'

const healthWithinMs = 3000

export default async function StatusPage({ searchParams }: { searchParams: Promise<{ login?: string }> }) {
  const asked = await headers()
  const verdict = operatorFrom((name) => asked.get(name))
  const mayLook = verdict === 'open' || verdict === 'yes'
  // Health first: it looks at heads that have grown old, and the snapshot shows them.
  const healths = await gatherHealths(healthWithinMs)
  const snapshot = mayLook ? await readSnapshot() : null
  const facts = chains()
  return (
    <>
      <section className={styles.top}>
        <h1>{statusTexts.title}</h1>
        <p>{statusTexts.story}</p>
        <AutoRefresh />
      </section>
      {!mayLook && <PublicHealth chains={facts} healths={healths} />}
      {verdict === 'no' && <LoginForm wrong={(await searchParams).login === 'wrong'} />}
      {mayLook && !snapshot && <p className={styles.unreachable}>{statusTexts.unreachable}</p>}
      {snapshot?.chains.map((chain) => (
        <ChainNodes key={chain.chainId} chain={chain} facts={facts.find(({ id }) => id === chain.chainId)} />
      ))}
    </>
  )
}
