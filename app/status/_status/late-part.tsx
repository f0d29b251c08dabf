'use client'

import { type ReactNode, Suspense, useState } from 'react'

interface LatePartProps {
  readonly isLate: boolean
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/**
 * Only what is streamed after the first HTML has a boundary: React would send tables in one in pieces that only a script puts together.
 * While a refresh waits, what is on the page stays.
 */
export function LatePart({ isLate, fallback, children }: LatePartProps) {
  // Decided once: with another parent the content would be mounted again.
  const [isStreamed] = useState(isLate)
  return isStreamed ? <Suspense fallback={fallback}>{children}</Suspense> : children
}
