import type {
  ChainHistory,
  ChainSnapshot,
  History,
  NodeHistory,
  SeenBlock,
} from '#lib/engine/engine-reads.ts'
import { clockTime, type Figures, formatMs, formatPercent } from '#lib/page/format.ts'
import { historyTexts } from '#lib/page/texts/history.ts'
import {
  budgetOf,
  firstsOf,
  grouped,
  latencyStep,
  marksOf,
  reachOf,
  shareOf,
  sum,
} from '#lib/status/history-figures.ts'
import { isWitness } from '#lib/status/sync.ts'
import { ColumnHeads } from '../../_ui/column-heads.tsx'
import { ScrollRegion } from '../../_ui/scroll-region.tsx'
import stacked from '../../_ui/stacked.module.css'
import parts from './chart-parts.module.css'
import { box, Cells, diamond, stepFills } from './chart-paths.tsx'
import styles from './history-chart.module.css'
import { HistoryLegend } from './history-legend.tsx'
import { ZoomArea } from './zoom-area.tsx'

export interface HistoryChartProps {
  readonly name: string
  readonly snapshot: ChainSnapshot
  readonly history: History
  /** The last day in steps of an hour. */
  readonly day: History
  readonly blocks: readonly SeenBlock[]
  readonly figures: Figures
}

const rowsMax = 6
const blocksListed = 6
/** Limits the width of a few blocks. */
const columnsMin = 60

/** Charts of one chain, drawn on the server: calls and failures, replies per node, and the nodes that showed each block. */
export function HistoryChart({ name, snapshot, history, day, blocks, figures }: HistoryChartProps) {
  const { fromMs, stepMs, steps } = history
  const of = ({ chains }: History) => chains.find(({ chainId }) => chainId === snapshot.chainId)
  const chain = of(history)
  if (chain === undefined) return null
  const toMs = fromMs + steps * stepMs
  const nodes = snapshot.nodes.map(
    ({ name: node }) => chain.nodes.find((each) => each.node === node) ?? { node, ...silent },
  )
  const peak = Math.max(...chain.calls, 0)
  const most = Math.max(peak, 1)
  const { answered, spent, burn } = budgetOf(of(day) ?? chain)
  const uncached = sum(chain.calls) - sum(chain.known)
  const known = shareOf(sum(chain.known), sum(chain.calls))
  const mean = shareOf(sum(chain.callMs), sum(chain.calls))
  const facts = [
    [historyTexts.calls, figures.block(sum(chain.calls))],
    [historyTexts.failures, figures.block(sum(chain.failures))],
    [historyTexts.mean, mean === null ? '–' : formatMs(mean)],
    [historyTexts.known, formatPercent(known, figures, 0)],
    [historyTexts.requests, uncached === 0 ? '–' : figures.weight(sum(chain.requests) / uncached)],
    [historyTexts.answered, formatPercent(answered, figures, 2)],
    [historyTexts.budget, formatPercent(spent, figures, 0)],
    [historyTexts.burn, burn === null ? '–' : `${figures.weight(burn)} ×`],
  ] as const
  return (
    <figure className={styles.chart} aria-label={historyTexts.title(name)} translate="no">
      <dl className={styles.facts}>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.plot}>
        <div className={styles.labels}>
          <span>
            {historyTexts.calls}
            <small>{historyTexts.peak(figures.weight(peak / (stepMs / 1000)))}</small>
          </span>
          {nodes.map(({ node }) => (
            <span key={node}>{node}</span>
          ))}
        </div>
        <div className={styles.charts}>
          <svg
            aria-hidden="true"
            className={styles.calls}
            viewBox={`0 0 ${steps} 40`}
            preserveAspectRatio="none"
          >
            <path className={parts.line} d={`M0 30.5h${steps}`} />
            <path className={styles.bars} d={bars(chain.calls, most, 30, -28)} />
            <path className={styles.failures} d={bars(chain.failures, most, 31, 9, 3)} />
          </svg>
          {nodes.map((node) => (
            <NodeRow key={node.node} node={node} steps={steps} />
          ))}
          <ZoomArea fromMs={fromMs} stepMs={stepMs} steps={steps} />
        </div>
        <span />
        <span className={parts.axis}>
          <span>{clockTime(fromMs)}</span>
          <span>{clockTime(toMs)} UTC</span>
        </span>
        <div className={styles.labels}>
          <span>
            {historyTexts.blocks}
            <small>{historyTexts.lastBlocks(blocks.length)}</small>
          </span>
        </div>
        <BlockStrip blocks={blocks} snapshot={snapshot} />
      </div>
      <HistoryLegend />
      <details className={styles.numbers}>
        <summary>{historyTexts.numbers}</summary>
        <ScrollRegion label={historyTexts.title(name)}>
          <Numbers chain={chain} nodes={nodes} history={history} />
          <Blocks blocks={blocks.slice(-blocksListed).toReversed()} nodes={nodes} figures={figures} />
        </ScrollRegion>
        <p>{historyTexts.firsts(firstsOf(blocks))}</p>
      </details>
    </figure>
  )
}

const silent = { replies: [], replyMs: [], faults: [], limited: [], dissents: [] }
const rowHeight = 20

function NodeRow({ node, steps }: { node: NodeHistory; steps: number }) {
  const levels = node.replies.map((replies, index) => latencyStep(replies, node.replyMs[index] ?? 0))
  const marks = marksOf(node)
  return (
    <svg
      aria-hidden="true"
      className={styles.cells}
      viewBox={`0 0 ${steps} ${rowHeight}`}
      preserveAspectRatio="none"
    >
      <path className={parts.line} d={`M0 ${rowHeight / 2}h${steps}`} />
      <Cells levels={levels} fills={stepFills} y={1} height={rowHeight - 2} />
      <path className={styles.fault} d={marks.faults.map((index) => box(index, rowHeight - 6, 5)).join('')} />
      <path
        className={parts.dissent}
        d={marks.dissents.map((index) => diamond(index, rowHeight / 2 - 1, 0.4, 6)).join('')}
      />
    </svg>
  )
}

function BlockStrip({ blocks, snapshot }: Pick<HistoryChartProps, 'blocks' | 'snapshot'>) {
  const voters = snapshot.nodes.filter((node) => !isWitness(node)).map(({ name }) => name)
  const shares = blocks.map((block) => reachOf(block, voters))
  const columns = Math.max(blocks.length, columnsMin)
  const first = columns - blocks.length
  const draw = (isAgreed: boolean) =>
    blocks
      .map(({ agreedMs }, index) =>
        (agreedMs !== null) === isAgreed
          ? box(first + index, 24 - 22 * (shares[index] ?? 0), 22 * (shares[index] ?? 0))
          : '',
      )
      .join('')
  return (
    <svg
      aria-hidden="true"
      className={styles.blocks}
      viewBox={`0 0 ${columns} 24`}
      preserveAspectRatio="none"
    >
      <path className={parts.line} d={`M0 23.5h${columns}`} />
      <path className={styles.bars} d={draw(true)} />
      <path className={styles.pending} d={draw(false)} />
    </svg>
  )
}

interface NumbersProps extends Pick<HistoryChartProps, 'history'> {
  readonly chain: ChainHistory
  readonly nodes: readonly NodeHistory[]
}

function Numbers({ chain, nodes, history: { fromMs, stepMs } }: NumbersProps) {
  const { from, calls, failures, mean } = historyTexts
  const rows = grouped(chain.calls, rowsMax)
  const size = Math.ceil(chain.calls.length / rows.length)
  const startOf = (row: number) => fromMs + row * size * stepMs
  const at = (values: readonly number[], row: number) => grouped(values, rowsMax)[row] ?? 0
  return (
    <table className={stacked.table}>
      <ColumnHeads columns={[from, calls, failures, mean, ...nodes.map(({ node }) => node)]} />
      <tbody>
        {rows.map((made, row) => (
          <tr key={startOf(row)}>
            <th scope="row">{clockTime(startOf(row))}</th>
            <td data-label={calls}>{made}</td>
            <td data-label={failures}>{at(chain.failures, row)}</td>
            <td data-label={mean}>{made === 0 ? '–' : formatMs(at(chain.callMs, row) / made)}</td>
            {nodes.map((node) => (
              <td key={node.node} data-label={node.node}>
                {historyTexts.cell({
                  replies: at(node.replies, row),
                  mean: formatMs(at(node.replyMs, row) / Math.max(1, at(node.replies, row))),
                  dissents: at(node.dissents, row),
                  faults: at(node.faults, row) + at(node.limited, row),
                })}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface BlocksProps extends Pick<HistoryChartProps, 'blocks' | 'figures'> {
  readonly nodes: readonly NodeHistory[]
}

function Blocks({ blocks, nodes, figures }: BlocksProps) {
  return (
    <table className={stacked.table}>
      <ColumnHeads columns={[historyTexts.block, ...nodes.map(({ node }) => node)]} />
      <tbody>
        {blocks.map(({ number, agreedMs, seen }) => (
          <tr key={number}>
            <th scope="row">
              <span>{figures.block(number)}</span>
              {agreedMs === null && <span>{` (${historyTexts.notAgreed})`}</span>}
            </th>
            {nodes.map(({ node }) => (
              <td key={node} data-label={node}>
                {historyTexts.seen(Object.hasOwn(seen, node) ? seen[node] : undefined)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function bars(values: readonly number[], most: number, y: number, height: number, least = 1): string {
  return values
    .map((value, index) => {
      if (value === 0) return ''
      const size = Math.max(least, (Math.abs(height) * value) / most)
      return height < 0 ? box(index, y - size, size) : box(index, y, Math.min(size, height))
    })
    .join('')
}
