'use client'

import Link from 'next/link'
import type { ComponentProps } from 'react'
import { isFramed } from './is-framed.ts'

type Props = Omit<ComponentProps<typeof Link>, 'href' | 'prefetch' | 'onNavigate'>

/**
 * A link to a page of ours, which changes without a reload. None is rendered before somebody asks for it: a page costs its visitor.
 * In a frame every page but the first is loaded as a document, whose policy refuses to be framed.
 */
export function PageLink({ href, ...props }: Props & { readonly href: '/' | '/status' | '/account' }) {
  return (
    <Link
      {...props}
      href={href}
      prefetch={false}
      onNavigate={(event) => {
        if (href === '/' || !isFramed()) return
        event.preventDefault()
        location.assign(href)
      }}
    />
  )
}
