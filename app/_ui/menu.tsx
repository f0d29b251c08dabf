'use client'

import { usePathname } from 'next/navigation'
import { shellTexts } from '#lib/page/texts/shell.ts'
import { PageLink } from './page-link.tsx'

const entries = [
  { href: '/', text: shellTexts.home },
  { href: '/token', text: shellTexts.token },
  { href: '/status', text: shellTexts.nodes },
] as const

/** Links to the pages of the app. */
export function Menu() {
  const path = usePathname()
  return entries.map(({ href, text }) => (
    <PageLink key={href} href={href} aria-current={href === path ? 'page' : undefined}>
      {text}
    </PageLink>
  ))
}
