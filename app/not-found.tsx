import type { Metadata } from 'next'
import { notFoundTexts } from '#lib/page/texts/notice.ts'
import button from './_ui/button.module.css'
import { Notice } from './_ui/notice.tsx'
import { PageLink } from './_ui/page-link.tsx'

export const metadata: Metadata = { title: notFoundTexts.title }

export default function NotFound() {
  return (
    <Notice title={notFoundTexts.title} text={notFoundTexts.text}>
      <PageLink className={button.primary} href="/">
        {notFoundTexts.back}
      </PageLink>
    </Notice>
  )
}
