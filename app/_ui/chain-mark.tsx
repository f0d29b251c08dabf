import styles from './chain-mark.module.css'

/** Drawn after the logo of each chain. Any other gets its initial on a colour of its id. */
const signs: Readonly<Record<number, { colour: string; path: React.ReactNode }>> = {
  1: {
    colour: '#6f86ee',
    path: <path d="m16 5.5 6.6 10.8L16 20.2l-6.6-3.9zM16 22.2l6.6-4L16 26.8l-6.6-8.6z" fill="currentColor" />,
  },
  137: {
    colour: '#8a55f0',
    path: (
      <path
        d="M12.2 12.6 8 15v4.8l4.2 2.4 4.2-2.4v-7.6l3.4-2 3.4 2V16l-3.4 2-2-1.2M12.2 12.6l2 1.2M16.4 12.2l3.4-2"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    ),
  },
  42161: {
    colour: '#2f9ce0',
    path: (
      <path
        d="m10 22 5.2-12h1.6L22 22M13.6 22l2.4-5.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.3"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    ),
  },
}

/** In degrees: ids that follow each other are far apart. */
const goldenAngle = 137.5

export function ChainMark({ id, name, size }: { id: number; name: string; size: number }) {
  const sign = signs[id]
  return (
    <svg
      className={styles.mark}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
      style={
        { '--tint': sign?.colour ?? `oklch(55% 0.13 ${(id * goldenAngle) % 360})` } as React.CSSProperties
      }
    >
      <circle cx="16" cy="16" r="16" className={styles.coin} />
      {sign?.path ?? (
        <text x="16" y="21.5" textAnchor="middle" fontSize="15" fontWeight="600" fill="currentColor">
          {name.slice(0, 1).toUpperCase()}
        </text>
      )}
    </svg>
  )
}
