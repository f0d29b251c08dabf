import type { Metadata } from 'next'
import { env } from '#lib/config/env.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import { readMethods } from '#lib/engine/engine-reads.ts'
import { consoleTexts } from '#lib/page/texts/console.ts'
import page from '../_ui/page.module.css'
import { OperatorOnly } from '../status/_status/login-form.tsx'
import { readViewer } from '../status/_status/viewer.ts'
import styles from './_console/console.module.css'
import { Console } from './_console/console.tsx'

export const metadata: Metadata = { title: consoleTexts.title }

type ConsolePageProps = { readonly searchParams: Promise<Readonly<Record<string, unknown>>> }

/** Sends any call to the gateway and shows its certificate, for the operator. */
export default async function ConsolePage({ searchParams }: ConsolePageProps) {
  const { verdict, cookie, marks } = await readViewer()
  const { chain, method, params } = await searchParams
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return (
    <>
      <section className={styles.top}>
        <h1 className={page.title}>{consoleTexts.title}</h1>
        <p>{consoleTexts.story}</p>
      </section>
      {cookie === null ? (
        <OperatorOnly verdict={verdict} />
      ) : (
        <Console
          chains={chains().map(({ id, name }) => ({ id, name }))}
          gateway={env().GATEWAY_URL ?? ''}
          methods={readMethods()}
          marks={marks}
          query={{ chain: text(chain), method: text(method), params: text(params) }}
        />
      )}
    </>
  )
}
