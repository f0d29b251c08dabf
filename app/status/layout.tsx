import type { Metadata } from 'next'
import { env } from '#lib/env.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { Footer } from '../_ui/footer.tsx'
import { Header } from '../_ui/header.tsx'

export const metadata: Metadata = { title: statusTexts.title }

/** Operators' pages load no wallet. */
export default function StatusLayout({ children }: { children: React.ReactNode }) {
  const { APP_NAME, DEMO } = env()
  return (
    <>
      <Header name={APP_NAME} demo={DEMO} current="/status" />
      <main id="content">{children}</main>
      <Footer />
    </>
  )
}
