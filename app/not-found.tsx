import type { Metadata } from 'next'
import { env } from '#lib/env.ts'
import { notFoundTexts } from '#lib/page/texts/notice.ts'
import button from './_ui/button.module.css'
import { Footer } from './_ui/footer.tsx'
import { Header } from './_ui/header.tsx'
import { Notice } from './_ui/notice.tsx'

export const metadata: Metadata = { title: notFoundTexts.title }

export default function NotFound() {
  const { APP_NAME, DEMO } = env()
  return (
    <>
      <Header name={APP_NAME} demo={DEMO} />
      <main id="content">
        <Notice title={notFoundTexts.title} text={notFoundTexts.text}>
          <a className={button.gold} href="/">
            {notFoundTexts.back}
          </a>
        </Notice>
      </main>
      <Footer />
    </>
  )
}
