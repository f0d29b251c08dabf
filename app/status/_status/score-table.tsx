import type { Scorecard, ScoreRow } from '#lib/engine/scorecard.ts'
import { type Figures, formatPercent } from '#lib/page/format.ts'
import { scorecardTexts } from '#lib/page/texts/scorecard.ts'
import { ColumnHeads } from '../../_ui/column-heads.tsx'
import { ScrollRegion } from '../../_ui/scroll-region.tsx'
import stacked from '../../_ui/stacked.module.css'
import parts from './chart-parts.module.css'
import { Cells, diamond } from './chart-paths.tsx'
import styles from './score-table.module.css'

export interface ScoreTableProps {
  /** Of the chain, or of what its rows are. */
  readonly name: string
  /** The worst first. */
  readonly rows: readonly ScoreRow[]
  readonly scorecard: Pick<Scorecard, 'fromMs' | 'toMs' | 'stepMs'>
  readonly figures: Figures
}

/** One chart of the answers of nodes, with a sentence where something should be done, and all numbers as a table. */
export function ScoreTable({ name, rows, scorecard, figures }: ScoreTableProps) {
  if (rows.length === 0) return null
  const id = `score-${rows[0]?.chainId ?? 'operators'}`
  return (
    <section className={styles.score} aria-labelledby={id}>
      <h2 id={id} translate="no">
        {name}
      </h2>
      <ul className={styles.chart} translate="no">
        {rows.map((row) => (
          <li key={nameOf(row)}>
            <span className={styles.name}>{nameOf(row)}</span>
            <Steps row={row} />
            <span className={styles.share}>{formatPercent(row.availability, figures)}</span>
            {row.advice && <p>{scorecardTexts.advice(nameOf(row), row.advice, figures)}</p>}
          </li>
        ))}
      </ul>
      <p className={styles.axis} aria-hidden="true">
        <span>{scorecardTexts.axis(scorecard.fromMs, scorecard.stepMs)}</span>
        <span>{scorecardTexts.axis(scorecard.toMs, scorecard.stepMs)}</span>
      </p>
      <Legend />
      <details className={styles.numbers}>
        <summary>{scorecardTexts.numbers}</summary>
        <ScrollRegion label={scorecardTexts.table(name)}>
          <Numbers rows={rows} figures={figures} />
        </ScrollRegion>
        <p>{scorecardTexts.units}</p>
      </details>
    </section>
  )
}

const nameOf = ({ node, operator }: ScoreRow): string => node ?? operator

const height = 24
/** From all answered to less than 95 %: the last one differs in hue too. */
const levelFills = ['var(--step-1)', 'var(--step-3)', 'var(--step-5)', 'var(--bad)']

/** What the numbers say to others: a column for each step, higher the more was not answered, with a mark over those with dissents. */
function Steps({ row: { steps } }: { readonly row: ScoreRow }) {
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${steps.length} ${height}`} preserveAspectRatio="none">
      <path className={parts.line} d={`M0 ${height - 0.5}h${steps.length}`} />
      <Cells
        levels={steps.map(({ availability }) => levelOf(availability))}
        fills={levelFills}
        y={2}
        height={20}
      />
      <path
        className={parts.dissent}
        d={steps.map(({ dissents }, at) => (dissents > 0 ? diamond(at, 12, 0.34, 7) : '')).join('')}
      />
    </svg>
  )
}

/** 0 where it was not asked, 1 where it answered all, 4 where it answered less than 95 %. */
function levelOf(availability: number | null): number {
  return availability === null ? 0 : 1 + [1, 0.99, 0.95].filter((bound) => availability < bound).length
}

function Legend() {
  return (
    <p className={styles.legend}>
      {scorecardTexts.levels.map((text, at) => (
        <span key={text}>
          <svg aria-hidden="true" width="12" height="12" viewBox="0 0 12 12">
            <rect fill={levelFills[at]} width="12" height="12" />
          </svg>
          <span>{text}</span>
        </span>
      ))}
      <span>
        <svg aria-hidden="true" width="12" height="12" viewBox="0 0 12 12">
          <path className={parts.dissent} d="M6 0l5 6l-5 6l-5 -6z" />
        </svg>
        <span>{scorecardTexts.outvoted}</span>
      </span>
    </p>
  )
}

const [, ...columns] = scorecardTexts.columns

function Numbers({ rows, figures }: Pick<ScoreTableProps, 'rows' | 'figures'>) {
  const { pair, dissents, faults } = scorecardTexts
  return (
    <table className={stacked.table}>
      <ColumnHeads columns={scorecardTexts.columns} />
      <tbody translate="no">
        {rows.map((row) => {
          const { head, read, 'caller-controlled': call, transaction } = row.latency
          const cells = [
            formatPercent(row.availability, figures, 2),
            ...[pair(head), pair(read), pair(call), pair(transaction)],
            formatPercent(row.won, figures, 2),
            ...[dissents(row.dissents), faults(row.faults)],
            ...[pair(row.headDelayMs), pair(row.blocksBehind)],
            figures.block(row.proofs),
            formatPercent(row.plan, figures, 0),
          ]
          return (
            <tr key={nameOf(row)}>
              <th scope="row">
                {nameOf(row)}
                {row.node !== null && row.operator !== row.node && <small>{row.operator}</small>}
              </th>
              {cells.map((cell, at) => (
                <td key={columns[at]} data-label={columns[at]}>
                  {cell}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
