import styles from './avatar.module.css'

/**
 * A rosette derived from the digits of an address, without an image file. It uses integers only, because server and browser
 * must draw the same and may differ in Math.sin.
 */
export function Avatar({ address, size }: { address: string; size: number }) {
  const digit = (index: number) => Number.parseInt(address.slice(2 + 2 * index, 4 + 2 * index), 16)
  const hue = (digit(0) * 360) >> 8
  const petals = 5 + (digit(1) % 6)
  const outer = { rx: 88, ry: 24 + (digit(2) % 40) }
  const inner = { rx: 34 + (digit(3) % 26), ry: 14 + (digit(4) % 18) }
  const turn = digit(5) % 36
  return (
    <svg className={styles.avatar} width={size} height={size} viewBox="-100 -100 200 200" aria-hidden="true">
      <circle r="100" fill={`hsl(${hue} 34% 20%)`} />
      <g fill="none" stroke={`hsl(${(hue + 24) % 360} 80% 74%)`} strokeWidth="5">
        {Array.from({ length: petals }, (_, petal) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a petal is identified by its index.
          <g key={petal} transform={`rotate(${turn + Math.round((petal * 180) / petals)})`}>
            <ellipse {...outer} />
            <ellipse {...inner} stroke="#ffdf94" />
          </g>
        ))}
      </g>
    </svg>
  )
}
