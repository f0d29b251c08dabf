import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { ago } from '#lib/page/format.ts'
import { weakestOf } from '#lib/page/reading.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { activityTexts } from '#lib/page/texts/activity.ts'
import { agreementLine, chainTexts, failureTexts } from '#lib/page/texts/chain.ts'
import { portfolioTexts } from '#lib/page/texts/portfolio.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { type Figure, noFigure } from '#lib/reads/figure.ts'
import { labelDoubts } from '#lib/token/label-doubts.ts'
import { keyOf, type ListedToken } from '#lib/token/token-list.ts'
import { portfolioQuery, type TokenBalances } from '#lib/wallet/token-balances.ts'
import { features } from '#site'
import { ChainMark } from '../_ui/chain-mark.tsx'
import { PageLink } from '../_ui/page-link.tsx'
import { AgreementRing } from '../_ui/quorum-ring.tsx'
import { WhyLink } from '../_ui/why-link.tsx'
import { Worded } from '../_ui/worded.tsx'
import { useReadChain } from '../_wallet/use-read-chain.ts'
import { useSite } from '../_wallet/wallet.ts'
import { AddToken } from './add-token.tsx'
import styles from './portfolio.module.css'
import { addedTokens, tokensOf, useAddedTokens } from './token-lists.ts'

/** The place of so many is kept free: `app/_home/slots.module.css`. */
const firstRows = 3

interface ChainRead {
  readonly chain: ChainFacts
  readonly figure: Figure<TokenBalances>
}

interface Row extends ChainRead {
  readonly token: ListedToken
  readonly isAdded: boolean
  /** Null is unknown, undefined not read yet. */
  readonly units: bigint | null | undefined
}

/** The visitor's tokens: those of this site's list that there are some of, and those that the visitor added. */
export default function Portfolio({ address }: { address: `0x${string}` }) {
  const { chains } = useSite()
  const readChain = useReadChain()
  const queries = useQueryClient()
  const added = useAddedTokens()
  const [isAdding, setAdding] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  const [all, setAll] = useState(false)
  const withTokens = chains.filter(({ id }) => tokensOf(id).length > 0)
  const results = useQueries({
    queries: withTokens.map(({ id }) =>
      portfolioQuery(readChain, { chainId: id, owner: address, tokens: () => tokensOf(id) }),
    ),
  })
  const reads = withTokens.map((chain, index) => ({ chain, figure: results[index]?.data ?? noFigure }))
  const rows = rowsOf(reads, added)

  function add(token: ListedToken): void {
    addedTokens.add(token)
    void queries.invalidateQueries({ queryKey: ['chain', token.chainId, address, 'tokens'] })
  }

  function remove(token: ListedToken): void {
    // The row is removed together with the focused button.
    addButton.current?.focus()
    addedTokens.remove(token)
  }

  return (
    <>
      <p className={styles.actions}>
        <button type="button" className={styles.more} ref={addButton} onClick={() => setAdding(true)}>
          {portfolioTexts.add}
        </button>
      </p>
      {rows.length > 0 ? (
        <Rows rows={all ? rows : rows.slice(0, firstRows)} onRemove={remove} />
      ) : (
        <NoRows reads={reads} />
      )}
      {rows.length > firstRows && (
        <button type="button" className={styles.more} onClick={() => setAll(!all)}>
          <Worded text={all ? activityTexts.fewer : activityTexts.all(rows.length)} />
        </button>
      )}
      <Agreement reads={reads} />
      {isAdding && <AddToken onAdd={add} onClose={() => setAdding(false)} />}
    </>
  )
}

/** Zero is left out unless the visitor added the token, and what is unknown comes last. */
function rowsOf(reads: readonly ChainRead[], added: readonly ListedToken[]): readonly Row[] {
  const rows = reads.flatMap((read) =>
    tokensOf(read.chain.id).map((token) => ({
      ...read,
      token,
      isAdded: added.includes(token),
      units: read.figure.known?.value[token.address.toLowerCase()],
    })),
  )
  return rows
    .filter(({ units, isAdded }) => isAdded || (units !== undefined && units !== 0n))
    .sort((one, other) => Number(one.units === null) - Number(other.units === null))
}

type OnRemove = (token: ListedToken) => void

function Rows({ rows, onRemove }: { rows: readonly Row[]; onRemove: OnRemove }) {
  return (
    <table className={styles.table} aria-label={accountTexts.tokens}>
      <thead>
        <tr>
          <th scope="col">{portfolioTexts.token}</th>
          <th scope="col">{portfolioTexts.balance}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TokenRow key={keyOf(row.token)} {...row} onRemove={onRemove} />
        ))}
      </tbody>
    </table>
  )
}

function TokenRow({ chain, figure, token, isAdded, units, onRemove }: Row & { onRemove: OnRemove }) {
  const { figures } = useSite()
  const { symbol, name, decimals, address } = token
  return (
    <tr data-old={figure.why !== null}>
      <th scope="row">
        <ChainMark id={chain.id} name={chain.name} size={28} />
        <span className={styles.words}>
          <strong translate="no">
            {features.token ? (
              <PageLink href={`/token?chain=${chain.id}&address=${address}`}>{symbol}</PageLink>
            ) : (
              symbol
            )}
          </strong>
          <span translate="no">
            {name} · {chain.name}
          </span>
          {labelDoubts(token).map((doubt) => (
            <span key={doubt} data-danger>
              {tokenTexts.doubts[doubt]}
            </span>
          ))}
        </span>
        {isAdded && (
          <button
            type="button"
            className={styles.more}
            aria-label={portfolioTexts.removeOf(symbol)}
            onClick={() => onRemove(token)}
          >
            {portfolioTexts.remove}
          </button>
        )}
      </th>
      <td className={styles.amount}>
        {units === null ? (
          <>
            <strong>{portfolioTexts.unknown}</strong>
            <span>{portfolioTexts.unknownText}</span>
          </>
        ) : (
          <strong translate="no">{units === undefined ? '…' : figures.amount(units, decimals)}</strong>
        )}
      </td>
    </tr>
  )
}

/** That there is nothing is said once it is known of every network. */
function NoRows({ reads }: { reads: readonly ChainRead[] }) {
  const isKnown = reads.every(({ figure }) => figure.known !== null)
  return (
    <p className={styles.none}>
      {isKnown && (
        <>
          <strong>{portfolioTexts.none}</strong>
          <span>{portfolioTexts.noneText}</span>
        </>
      )}
    </p>
  )
}

/** Once for the whole table: the weakest quorum behind it; beside it the networks of which it is old or missing. */
function Agreement({ reads }: { reads: readonly ChainRead[] }) {
  const waiting = reads.filter(({ figure }) => figure.why === 'waiting')
  const ages = waiting.flatMap(({ figure }) => figure.knownMs ?? [])
  // All at once when the last has answered: a line that fills bit by bit would move.
  if (waiting.length > 0)
    return (
      <p className={styles.agreement}>
        <span>{chainTexts.waiting}</span> {ages.length > 0 && <LastKnown ms={Math.min(...ages)} />}
      </p>
    )
  const agreed = reads.filter(({ figure }) => figure.why === null)
  const quorum = weakestOf(agreed.map(({ figure }) => figure.known?.evidence ?? null))
  return (
    <div className={styles.agreement}>
      {quorum && <AgreementRing quorum={quorum} size={32} />}
      <div className={styles.lines}>
        {quorum && (
          <>
            <p>
              <strong translate="no">{agreementLine(quorum)}</strong>
            </p>
            <p className={styles.lines}>
              <span>{chainTexts.why}</span>
              {agreed.map(({ chain, figure }) => (
                <WhyLink
                  key={chain.id}
                  certificateId={figure.known?.certificateId ?? null}
                  of={portfolioTexts.whyOf(chain.name)}
                  text={chain.name}
                />
              ))}
            </p>
          </>
        )}
        {reads.map(({ chain, figure }) => (
          <Missing key={chain.id} chain={chain} {...figure} />
        ))}
      </div>
    </div>
  )
}

function Missing({ chain, why, knownMs }: { chain: ChainFacts } & Pick<Figure, 'why' | 'knownMs'>) {
  if (why === null || why === 'waiting') return null
  return (
    <p data-refused>
      <span translate="no">{`${chain.name}:`}</span> <span key={why}>{failureTexts[why]}</span>{' '}
      {knownMs !== null && <LastKnown ms={knownMs} />}
    </p>
  )
}

function LastKnown({ ms }: { ms: number }) {
  return <Worded text={portfolioTexts.lastKnown(ago(Date.now() - ms))} />
}
