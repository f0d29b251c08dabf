'use client'

import { usePathname } from 'next/navigation'
import { shellTexts } from '#lib/page/texts/shell.ts'
import { site } from '#site'
import { PageLink } from './page-link.tsx'

const entries = [{ href: '/', text: shellTexts.home }, ...site.menu] as const

/** Links to the pages of the app. */
export function Menu() {
  const path = usePathname()
  return entries.map(({ href, text }) => (
    <PageLink key={href} href={href} aria-current={href === path ? 'page' : undefined}>
      {text}
    </PageLink>
  ))
}
