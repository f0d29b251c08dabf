import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { env } from '#lib/config/env.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import { readMethods } from '#lib/engine/engine-reads.ts'
import { operatorBySession } from '#lib/operator/operator.ts'
import { numberMarks } from '#lib/page/format.ts'
import { consoleTexts } from '#lib/page/texts/console.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import page from '../_ui/page.module.css'
import { LoginForm } from '../status/_status/login-form.tsx'
import styles from './_console/console.module.css'
import { Console } from './_console/console.tsx'

export const metadata: Metadata = { title: consoleTexts.title }

type ConsolePageProps = { readonly searchParams: Promise<Readonly<Record<string, unknown>>> }

/** Sends any call to the gateway and shows its certificate, for the operator. */
export default async function ConsolePage({ searchParams }: ConsolePageProps) {
  const given = await headers()
  const verdict = operatorBySession(given.get('cookie') ?? '')
  const { chain, method, params } = await searchParams
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return (
    <>
      <section className={styles.top}>
        <h1 className={page.title}>{consoleTexts.title}</h1>
        <p>{consoleTexts.story}</p>
      </section>
      {verdict === 'open' || verdict === 'yes' ? (
        <Console
          chains={chains().map(({ id, name }) => ({ id, name }))}
          gateway={env().GATEWAY_URL ?? ''}
          methods={readMethods()}
          marks={numberMarks(given.get('accept-language'))}
          query={{ chain: text(chain), method: text(method), params: text(params) }}
        />
      ) : verdict === 'hidden' ? (
        <p className={styles.closed}>{statusTexts.operatorOnly}</p>
      ) : (
        <LoginForm error={null} />
      )}
    </>
  )
}
