'use client'

import { usePathname } from 'next/navigation'
import { menuEntries } from './menu-entries.ts'
import { PageLink } from './page-link.tsx'

/** Links to the pages of the app. */
export function Menu() {
  const path = usePathname()
  return menuEntries.map(({ href, text }) => (
    <PageLink key={href} href={href} aria-current={href === path ? 'page' : undefined}>
      {text}
    </PageLink>
  ))
}
