/** From what is usual to what stands out most; the steps differ in lightness, not in hue. */
export const stepFills = [
  ...['var(--step-1)', 'var(--step-2)', 'var(--step-3)'],
  ...['var(--step-4)', 'var(--step-5)', 'var(--step-6)'],
]

interface CellsProps {
  /** Of each column: 1 for the first fill, 0 for none. */
  readonly levels: readonly number[]
  readonly fills: readonly string[]
  readonly y: number
  readonly height: number
}

/** A cell for each column, as one path per fill: a chart has thousands. */
export function Cells({ levels, fills, y, height }: CellsProps) {
  return fills.map((fill, at) => (
    <path
      key={fill}
      fill={fill}
      d={levels.map((level, column) => (level === at + 1 ? box(column, y, height) : '')).join('')}
    />
  ))
}

/** A cell in a column as an SVG path. Columns are one unit wide. */
export function box(column: number, y: number, height: number): string {
  return height <= 0 ? '' : `M${column} ${round(y)}h.86v${round(height)}h-.86z`
}

/** A mark in the middle of a cell. */
export function diamond(column: number, y: number, width: number, height: number): string {
  return `M${round(column + 0.43)} ${round(y - height)}l${width} ${height}l-${width} ${height}l-${width} -${height}z`
}

const round = (value: number): number => Math.round(value * 100) / 100
