'use client'

import { useRouter } from 'next/navigation'
import type { ComponentProps, MouseEvent } from 'react'
import { isFramed } from './is-framed.ts'

interface PageLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  readonly href:
    | '/'
    | '/account'
    | '/console'
    | '/status'
    | '/token'
    | `/status/answers/${string}`
    | `/status?${string}`
    | `/token?${string}`
  /** Called at a press; true where something else is done than going there. */
  readonly instead?: () => boolean
}

/**
 * A link to a page of ours, which changes without a reload. None is rendered before somebody asks for it: a page costs its visitor.
 * In a frame every page but the first is loaded as a document, whose policy refuses to be framed. `next/link` does more, and weighs
 * four kilobytes.
 */
export function PageLink({ href, instead, ...props }: PageLinkProps) {
  const router = useRouter()
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        if (isForBrowser(event)) return
        if (instead?.()) event.preventDefault()
        else if (href === '/' || !isFramed()) {
          event.preventDefault()
          router.push(href)
        }
      }}
    />
  )
}

/** A click that wants another tab, another window or a download. */
function isForBrowser({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey || altKey
}
