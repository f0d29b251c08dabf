import { useSyncExternalStore } from 'react'
import { type ChainHealth, fetchHealth, type Healths, healthQuery } from '#lib/page/health-query.ts'
import { createStoredList, ownStorage, type StoredList } from '#lib/page/stored-list.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { crossPath, IconButton } from '../_ui/icon-button.tsx'
import { useSite } from '../_wallet/wallet.ts'
import styles from './chain-notice.module.css'
import { LateQuery } from './late-query.tsx'

/** Shows which chains are degraded or down, until it is closed for the visit. Its place is kept free, so that it shifts nothing. */
export function ChainNotice({ isLate }: { isLate: boolean }) {
  const { gateway } = useSite()
  return (
    <div className={styles.place} role="status">
      <LateQuery query={healthQuery(fetchHealth(gateway))} placeholder={{}} isLate={isLate}>
        {(healths) => <Words healths={healths} />}
      </LateQuery>
    </div>
  )
}

function Words({ healths }: { healths: Healths }) {
  const { chains } = useSite()
  const named = (health: ChainHealth) =>
    chains
      .filter(({ id }) => healths[id] === health)
      .map(({ name }) => name)
      .join(', ')
  const down = named('down')
  const names = down || named('degraded')
  return names && <Notice state={down ? 'down' : 'degraded'} names={names} />
}

let closedStates: StoredList<string> | undefined

/** Those that were closed in this tab. Read where there is something to say: the storage would delay every other page. */
function statesClosed(): StoredList<string> {
  closedStates ??= createStoredList(
    ownStorage('sessionStorage'),
    'quorate.closed',
    (value): value is string => typeof value === 'string',
  )
  return closedStates
}

function Notice({ state, names }: { state: 'down' | 'degraded'; names: string }) {
  const list = statesClosed()
  // As text: another empty list than the server's would be one more render after hydration.
  const closed = useSyncExternalStore(
    list.subscribe,
    () => list.get().join(),
    () => '',
  )
  // What was closed says nothing about a worse state.
  if (closed.includes(state) || closed.includes('down')) return null
  return (
    <p className={styles.notice} data-down={state === 'down'}>
      <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
        <path d="M8 1.5 15.5 14.5H.5zM7.2 6v4.2h1.6V6zm0 5.4V13h1.6v-1.6z" fillRule="evenodd" />
      </svg>
      <span>{chainTexts[state](names)}</span>
      <IconButton
        label={chainTexts.closeNotice}
        path={crossPath}
        onClick={() => list.save((states) => [...states, state])}
      />
    </p>
  )
}
