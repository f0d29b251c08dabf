import type { Quorum } from '#lib/page/reading.ts'
import styles from './quorum-ring.module.css'

const segmentsMax = 24

interface RingSize {
  readonly size: number
  readonly stroke?: number
}

export interface QuorumRingProps extends RingSize {
  readonly quorum: Readonly<Record<'agreed' | 'needed' | 'total', number>> | null
}

/** The operators that voted, as a ring: it is full unless one of them disagreed or was out of reach. The text next to it says the same. */
export function AgreementRing({ quorum, ...ring }: RingSize & { readonly quorum: Quorum | null }) {
  if (quorum === null) return <QuorumRing {...ring} quorum={null} />
  const { operators, dissenting, unreached } = quorum
  const total = operators + dissenting + unreached
  return <QuorumRing {...ring} quorum={{ agreed: operators, needed: total, total }} />
}

/** A quorum as a ring: lit votes, unlit votes, and a mark at what is needed. The text next to it says the same. */
export function QuorumRing({ quorum, size, stroke = 4 }: QuorumRingProps) {
  // Space for the mark outside of the votes.
  const radius = (size - stroke) / 2 - stroke - 1
  const circle = { cx: size / 2, cy: size / 2, r: radius, strokeWidth: stroke, fill: 'none' }
  const total = quorum?.total ?? 1
  const lit = quorum?.agreed ?? 0
  const segments = Number.isInteger(total) && total <= segmentsMax ? total : 1
  const gap = segments > 1 ? Math.min(0.2, (segments * (stroke + 1.5)) / (2 * Math.PI * radius)) : 0
  return (
    <svg
      className={styles.ring}
      width={size}
      height={size}
      viewBox={`0 0 ${size} ${size}`}
      aria-hidden="true"
    >
      <circle
        {...circle}
        className={styles.unlit}
        pathLength={segments}
        strokeDasharray={`${1 - gap} ${gap}`}
      />
      {lit > 0 && (
        <circle
          {...circle}
          className={styles.lit}
          pathLength={segments}
          strokeDasharray={dashes(segments > 1 ? lit : lit / total, segments, gap)}
        />
      )}
      {quorum && quorum.needed < quorum.total && (
        <line
          className={styles.needed}
          x1={size / 2}
          x2={size / 2}
          y1={0}
          y2={stroke}
          transform={`rotate(${Math.round((quorum.needed / total) * 360)} ${size / 2} ${size / 2})`}
        />
      )}
    </svg>
  )
}

/** One dash per lit segment, then a gap; a single arc if there are too many segments. */
function dashes(lit: number, segments: number, gap: number): string {
  if (segments === 1) return `${Math.min(lit, 1)} 1`
  const whole = Math.floor(lit)
  const part = lit - whole
  const on = Array.from({ length: whole }, () => `${1 - gap} ${gap}`)
  return [...on, ...(part > 0 ? [`${part} 0`] : []), `0 ${segments}`].join(' ')
}
