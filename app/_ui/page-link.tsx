'use client'

import { useRouter } from 'next/navigation'
import type { ComponentProps, MouseEvent } from 'react'
import { isFramed } from './is-framed.ts'

type Props = Omit<ComponentProps<'a'>, 'href' | 'onClick'>

/**
 * A link to a page of ours, which changes without a reload. None is rendered before somebody asks for it: a page costs its visitor.
 * In a frame every page but the first is loaded as a document, whose policy refuses to be framed. `next/link` does more, and weighs
 * four kilobytes.
 */
export function PageLink({ href, ...props }: Props & { readonly href: '/' | '/status' | '/account' }) {
  const router = useRouter()
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        if (isForBrowser(event) || (href !== '/' && isFramed())) return
        event.preventDefault()
        router.push(href)
      }}
    />
  )
}

/** A click that wants another tab, another window or a download. */
function isForBrowser({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey || altKey
}
