'use client'

import { usePathname } from 'next/navigation'
import { PageLink } from './page-link.tsx'

interface MenuProps {
  readonly entries: readonly { readonly href: `/${string}`; readonly text: string }[]
}

/** Links to the pages of the app. */
export function Menu({ entries }: MenuProps) {
  const path = usePathname()
  return entries.map(({ href, text }) => (
    <PageLink key={href} href={href} aria-current={href === path ? 'page' : undefined}>
      {text}
    </PageLink>
  ))
}
