import type { ChainSnapshot, NodeSnapshot } from '#lib/engine/engine-reads.ts'
import { ago, type Figures, formatMs } from '#lib/page/format.ts'
import { actionTexts } from '#lib/page/texts/actions.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { isLieCheap } from '#lib/status/lie-report.ts'
import { isWitness, markOf } from '#lib/status/sync.ts'
import { ChainMark } from '../../_ui/chain-mark.tsx'
import { ColumnHeads } from '../../_ui/column-heads.tsx'
import { QuorumRing } from '../../_ui/quorum-ring.tsx'
import { ScrollRegion } from '../../_ui/scroll-region.tsx'
import stacked from '../../_ui/stacked.module.css'
import { Worded } from '../../_ui/worded.tsx'
import styles from './chain-nodes.module.css'
import { Fold } from './fold.tsx'
import { Health } from './health-sign.tsx'
import { NodeActions } from './node-actions-button.tsx'

export interface ChainNodesProps {
  readonly chain: ChainSnapshot
  readonly name: string
  readonly figures: Figures
  /** When the snapshot was taken, epoch milliseconds. */
  readonly atMs: number
  /** Whether nodes can be cordoned here: not for a remote gateway. */
  readonly actions: boolean
  /** Whether faults can be injected into nodes. */
  readonly faults: boolean
  /** Content below the table. */
  readonly children: React.ReactNode
}

/** One chain: its agreed head, the weight that can vote, and a row per node. */
export function ChainNodes({ chain, name, figures, atMs, actions, faults, children }: ChainNodesProps) {
  const { needed, total, usable } = chain.quorum
  return (
    <section className={styles.chain} aria-labelledby={`chain-${chain.chainId}`}>
      <header className={styles.head}>
        <ChainMark id={chain.chainId} name={name} size={36} />
        <div className={styles.title}>
          <h2 id={`chain-${chain.chainId}`} translate="no">
            {name}
          </h2>
          <Health health={chain.status} why={chain.why} />
        </div>
        <dl className={styles.fact}>
          <dt>{statusTexts.agreedHead}</dt>
          <dd translate="no">
            {chain.head ? figures.block(chain.head.number) : statusTexts.noHead}
            {chain.protectedHead && (
              <small>{statusTexts.protectedHead(figures.block(chain.protectedHead.number))}</small>
            )}
            {chain.headAgeMs !== null && <small>{statusTexts.checkedAgo(chain.headAgeMs)}</small>}
            {chain.blockAgeMs !== null && <small>{statusTexts.blockAge(chain.blockAgeMs)}</small>}
          </dd>
        </dl>
        <div className={styles.quorum}>
          <QuorumRing quorum={{ agreed: usable, needed, total }} size={44} />
          <p translate="no">
            {statusTexts.usable(figures.weight(usable), figures.weight(total))}
            <small>{chainTexts.needed(figures.weight(needed))}</small>
          </p>
        </div>
      </header>
      <LieLine chain={chain} />
      <Fold title={statusTexts.nodes(chain.nodes.map(markOf))}>
        <ScrollRegion label={statusTexts.table(name)} className={styles.scroll}>
          <table className={`${styles.table} ${stacked.table}`}>
            <ColumnHeads columns={statusTexts.columns}>
              {actions && <th scope="col">{actionTexts.column}</th>}
            </ColumnHeads>
            <tbody translate="no">
              {chain.nodes.map((node) => (
                <NodeRow key={node.name} node={node} figures={figures} atMs={atMs}>
                  {actions && (
                    <NodeActions
                      chainId={chain.chainId}
                      chain={name}
                      node={node.name}
                      isCordoned={node.state === 'cordoned'}
                      faults={faults}
                    />
                  )}
                </NodeRow>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </Fold>
      <Fold title={statusTexts.charts}>{children}</Fold>
    </section>
  )
}

/** Whether a lie could become a result now: how many operators it takes, whether the witnesses make it more, what was proven and what was signed. */
export function LieLine({
  chain: { everydayRule, operatorsToLie, proofs, signed },
}: {
  readonly chain: Pick<ChainSnapshot, 'everydayRule' | 'operatorsToLie' | 'proofs' | 'signed'>
}) {
  const isCheap = isLieCheap(operatorsToLie)
  return (
    <p className={styles.lie} data-cheap={isCheap.everyday || isCheap.protected}>
      <Worded
        text={[
          statusTexts.everydayRule[everydayRule],
          statusTexts.lie(operatorsToLie, isCheap),
          statusTexts.proofs(proofs),
          statusTexts.signed(signed),
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </p>
  )
}

/** Those of the figures of a row: after its name and its state. */
const [, , ...columns] = statusTexts.columns

interface NodeRowProps extends Pick<ChainNodesProps, 'figures' | 'atMs'> {
  readonly node: NodeSnapshot
  readonly children: React.ReactNode
}

function NodeRow({ node, figures, atMs, children }: NodeRowProps) {
  const mark = markOf(node)
  const faults = Object.entries(node.faults).filter(([, count]) => count > 0)
  const { latency } = node
  const cells = [
    [figures.weight(node.weight)],
    [node.head === null ? '–' : figures.block(node.head)],
    [node.lag === null ? '–' : statusTexts.behind(node.lag)],
    [latency ? formatMs(latency.p50Ms) : '–'],
    [latency ? formatMs(latency.p95Ms) : '–'],
    [latency ? formatMs(latency.p99Ms) : '–'],
    [node.votes],
    [node.dissents, node.dissents > 0],
    [faults.map(([kind, count]) => `${kind} ${count}`).join(', ') || 0, faults.length > 0],
  ] as const
  return (
    <tr data-state={mark}>
      <th scope="row">
        {node.name}
        {node.operator !== node.name && <small>{node.operator}</small>}
        {isWitness(node) && <small>{statusTexts.witness}</small>}
        {node.plan !== null && <small>{statusTexts.plan(node.plan)}</small>}
        {node.leftToday !== null && <small>{statusTexts.leftToday(figures.block(node.leftToday))}</small>}
      </th>
      <td>
        <span className={styles.state} data-state={mark}>
          {statusTexts.node[mark]}
        </span>
        {node.why && (
          <small>{statusTexts.reason(node.why, node.untilMs === null ? null : node.untilMs - atMs)}</small>
        )}
        {node.cordonedMs !== null && <small>{actionTexts.since(ago(atMs - node.cordonedMs))}</small>}
      </td>
      {cells.map(([value, isAlarm], index) => (
        <td key={columns[index]} data-label={columns[index]} data-alarm={isAlarm}>
          {value}
        </td>
      ))}
      {children && <td>{children}</td>}
    </tr>
  )
}
