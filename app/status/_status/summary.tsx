import type { ChainSnapshot } from '#lib/engine/engine-reads.ts'
import { formatMs } from '#lib/page/format.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { syncOf } from '#lib/status/sync.ts'
import { Worded } from '../../_ui/worded.tsx'
import { Sign } from './health-sign.tsx'
import styles from './summary.module.css'
import { chainName } from './viewer.ts'

/** One large sentence per chain. */
export function Summary({ chains }: { readonly chains: readonly ChainSnapshot[] }) {
  return (
    <ul className={styles.summary} aria-label={statusTexts.summary}>
      {chains.map(({ chainId, status, why, nodes }) => {
        const { inSync, operators, p50Ms, disagreeing, behind } = syncOf(nodes)
        return (
          <li key={chainId} data-health={status}>
            <Sign health={status} size={18} />
            <p>
              <strong>{`${chainName(chainId)}: ${statusTexts.chain[status]}${why ? ',' : '.'}`}</strong>{' '}
              {why && <span>{`${why}. `}</span>}
              <Worded
                text={`${statusTexts.sync(inSync, operators, p50Ms === null ? null : formatMs(p50Ms))}.`}
              />{' '}
              {disagreeing.length > 0 && (
                <em>
                  <Worded text={statusTexts.disagree(disagreeing)} />
                </em>
              )}{' '}
              {behind.length > 0 && <Worded text={statusTexts.areBehind(behind)} />}
            </p>
          </li>
        )
      })}
    </ul>
  )
}
