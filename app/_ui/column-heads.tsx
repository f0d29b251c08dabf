import type { ReactNode } from 'react'

export interface ColumnHeadsProps {
  readonly columns: readonly string[]
  /** Cells after those. */
  readonly children?: ReactNode
}

/** The head of a table: a cell for the name of each column. */
export function ColumnHeads({ columns, children }: ColumnHeadsProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
        {children}
      </tr>
    </thead>
  )
}
