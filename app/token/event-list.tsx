import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { formatAddress } from '#lib/page/format.ts'
import { sentence } from '#lib/page/sentence.ts'
import { chainTexts, failureTexts } from '#lib/page/texts/chain.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import type { Figure } from '#lib/reads/figure.ts'
import type { TokenFacts } from '#lib/token/erc20.ts'
import { eventBlocksMax, type TokenEvent } from '#lib/token/erc20-events.ts'
import { isUnlimitedAmount } from '#lib/wallet/meaning.ts'
import { HashLine } from '../_send/hash-line.tsx'
import button from '../_ui/button.module.css'
import { Worded } from '../_ui/worded.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './token.module.css'

export interface EventsProps {
  readonly events: Figure<readonly TokenEvent[]>
  readonly token: TokenFacts
  readonly chain: ChainFacts
  /** Null while the wallet is not available. */
  readonly onRevoke: ((...spenders: readonly `0x${string}`[]) => void) | null
}

/** Recent token events of an account, as the nodes agree. */
export function Events({ events: { known, why }, token, chain, onRevoke }: EventsProps) {
  const list = known?.value ?? []
  const standing = standingApprovals(list)
  const spenders = list.filter(({ id }) => standing.has(id)).map(({ party }) => party)
  return (
    <section className={styles.events}>
      <h2>{tokenTexts.events}</h2>
      {list.length === 0 && (
        <p className={styles.muted}>
          <Worded
            text={
              known
                ? tokenTexts.noEvents(eventBlocksMax)
                : why === null || why === 'waiting'
                  ? tokenTexts.eventsWaiting
                  : failureTexts[why]
            }
          />
        </p>
      )}
      <ul>
        {list.map((event) => (
          <Row
            key={event.id}
            event={event}
            token={token}
            chain={chain}
            onRevoke={standing.has(event.id) ? onRevoke : null}
          />
        ))}
      </ul>
      {onRevoke && spenders.length > 1 && (
        <button type="button" className={button.bare} onClick={() => onRevoke(...spenders)}>
          <Worded text={tokenTexts.revokeAll(spenders.length)} />
        </button>
      )}
    </section>
  )
}

interface RowProps extends Pick<EventsProps, 'token' | 'chain' | 'onRevoke'> {
  readonly event: TokenEvent
}

function Row({ event, token, chain, onRevoke }: RowProps) {
  const { figures } = useWallet()
  const { kind, value, party, block, hash } = event
  const units = isUnlimitedAmount(value) ? tokenTexts.unlimited : figures.amount(value, token.decimals)
  return (
    <li>
      <p>
        <strong>
          <Worded text={tokenTexts.event[kind](`${units} ${token.symbol}`, formatAddress(party))} />
        </strong>
        <Worded text={chainTexts.block + sentence` ${figures.block(block)}`} />
      </p>
      <HashLine hash={hash} explorer={chain.explorer} />
      {onRevoke && (
        <button type="button" className={button.bare} onClick={() => onRevoke(party)}>
          {tokenTexts.revoke}
        </button>
      )}
    </li>
  )
}

/** The latest approval of each spender, if it is not zero. */
function standingApprovals(events: readonly TokenEvent[]): ReadonlySet<string> {
  const approvals = events.filter(({ kind }) => kind === 'approved')
  // The events are newest first, and a map keeps the last of a key.
  const latest = new Map(approvals.toReversed().map((event) => [event.party, event]))
  return new Set([...latest.values()].flatMap(({ id, value }) => (value > 0n ? [id] : [])))
}
