'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type Figure, figureQuery, noFigure } from '#lib/reads/figure.ts'
import { useReadChain } from '../_wallet/use-read-chain.ts'

export interface FigureOfProps {
  readonly chainId: number
  /** Whose balance it is; without an address it is the head. */
  readonly address: `0x${string}` | undefined
  readonly children: (figure: Figure, isStreamed: boolean) => React.ReactNode
}

/** Shows a figure of a chain: what the server read, which may be streamed later, then what the browser polls. */
export function FigureOf(props: FigureOfProps) {
  return (
    <Suspense fallback={props.children(noFigure, true)}>
      <Polled {...props} />
    </Suspense>
  )
}

function Polled({ chainId, address, children }: FigureOfProps) {
  const readChain = useReadChain()
  const { data } = useSuspenseQuery(figureQuery(readChain, chainId, address))
  return children(data, false)
}
