'use client'

import { useRouter } from 'next/navigation'
import { type PointerEvent, useState } from 'react'
import { clockTime } from '#lib/page/format.ts'
import { timeRangeQuery, zoom } from '#lib/status/time-range.ts'
import styles from './history-chart.module.css'

export interface ZoomAreaProps {
  readonly fromMs: number
  readonly stepMs: number
  readonly steps: number
}

/** An overlay on the charts: shows the time at the pointer, and zooms to a dragged range. The links above are the keyboard alternative. */
export function ZoomArea({ fromMs, stepMs, steps }: ZoomAreaProps) {
  const router = useRouter()
  const [start, setStart] = useState<number | null>(null)
  const [here, setHere] = useState<number | null>(null)
  const toMs = fromMs + steps * stepMs
  const shareAt = ({ clientX, currentTarget }: PointerEvent<Element>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - left) / width))
  }
  const drop = () => {
    setStart(null)
    setHere(null)
  }

  return (
    <div
      className={styles.zoom}
      onPointerDown={(event) => {
        // Touch scrolls the page.
        if (event.pointerType === 'touch' || event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setStart(shareAt(event))
      }}
      onPointerMove={(event) => setHere(shareAt(event))}
      onPointerLeave={() => start === null && setHere(null)}
      onPointerCancel={drop}
      onPointerUp={(event) => {
        if (start === null) return
        const end = shareAt(event)
        drop()
        // A click is not a drag.
        if (Math.abs(end - start) < 0.01) return
        router.push(`?${timeRangeQuery(zoom({ fromMs, toMs }, start, end))}`, { scroll: false })
      }}
    >
      {here !== null && (
        <>
          <svg aria-hidden="true" viewBox="0 0 1000 10" preserveAspectRatio="none">
            {start !== null && (
              <rect
                className={styles.selection}
                x={Math.min(start, here) * 1000}
                width={Math.abs(here - start) * 1000}
                height="10"
              />
            )}
            <path className={styles.cursor} d={`M${here * 1000} 0v10`} />
          </svg>
          <span>{clockTime(fromMs + here * (toMs - fromMs))}</span>
        </>
      )}
    </div>
  )
}
