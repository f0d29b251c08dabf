'use client'

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type Figure, figureQuery, noFigure } from '#lib/reads/figure.ts'
import { useReadChain } from '../_wallet/use-read-chain.ts'

export interface FigureOfProps {
  readonly chainId: number
  /** Whose balance it is; without an address it is the head. */
  readonly address: `0x${string}` | undefined
  /** Whether the server streams it after the first HTML. */
  readonly isLate: boolean
  readonly children: (figure: Figure, isStreamed: boolean) => React.ReactNode
}

/**
 * Shows a figure of a chain: what the server read, then what the browser polls. Only what is streamed has a boundary, because React
 * hydrates each boundary in a commit of its own.
 */
export function FigureOf({ isLate, ...props }: FigureOfProps) {
  // Decided once: with another parent the card would be mounted again.
  const [isStreamed] = useState(isLate)
  if (!isStreamed) return <Polled {...props} />
  return (
    <Suspense fallback={props.children(noFigure, true)}>
      <Streamed {...props} />
    </Suspense>
  )
}

type ReadProps = Omit<FigureOfProps, 'isLate'>

function Polled({ chainId, address, children }: ReadProps) {
  const { data = noFigure } = useQuery(figureQuery(useReadChain(), chainId, address))
  return children(data, false)
}

function Streamed({ chainId, address, children }: ReadProps) {
  const { data } = useSuspenseQuery(figureQuery(useReadChain(), chainId, address))
  return children(data, false)
}
