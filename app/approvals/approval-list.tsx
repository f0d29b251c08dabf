import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { dayTime, type Figures, formatAddress } from '#lib/page/format.ts'
import { plainText } from '#lib/page/plain-text.ts'
import { sentence } from '#lib/page/sentence.ts'
import { approvalTexts } from '#lib/page/texts/approvals.ts'
import { agreementLine, chainTexts, failureTexts } from '#lib/page/texts/chain.ts'
import { type LabelDoubt, tokenTexts } from '#lib/page/texts/token.ts'
import { type Figure, noFigure } from '#lib/reads/figure.ts'
import { isListed, labelDoubts } from '#lib/token/label-doubts.ts'
import type { ListedToken } from '#lib/token/token-list.ts'
import {
  type Approval,
  approvalsQuery,
  approvedIn,
  type FoundApprovals,
  foundQuery,
  isUnlimited,
  revocationOf,
  type Spender,
  spendersQuery,
} from '#lib/wallet/approvals.ts'
import { isSame } from '#lib/wallet/compare.ts'
import { keyOfFigure } from '#lib/wallet/watched.ts'
import { tokensOf, useAddedTokens } from '../_portfolio/token-lists.ts'
import { useTransactions } from '../_send/own-transactions.ts'
import { useFollow } from '../_send/use-follow.ts'
import { Address } from '../_ui/address.tsx'
import button from '../_ui/button.module.css'
import { Choice } from '../_ui/choice.tsx'
import { NetworkChoice } from '../_ui/network-choice.tsx'
import { AgreementRing } from '../_ui/quorum-ring.tsx'
import { WhyLink } from '../_ui/why-link.tsx'
import { Worded } from '../_ui/worded.tsx'
import { useReviewedTransaction } from '../_wallet/reviewed-transaction.tsx'
import { useReadChain } from '../_wallet/use-read-chain.ts'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './approvals.module.css'
import { spendersOf } from './known-spenders.ts'

/** What spenders may take of the visitor on one network, and the revocation of one or several. */
export function ApprovalList({ owner }: { owner: `0x${string}` }) {
  const { chains, chain: current } = useWallet()
  const [chosen, setChosen] = useState<number | null>(null)
  const chain = chains.find(({ id }) => id === chosen) ?? current ?? chains[0]
  if (chain === undefined) return null
  return (
    <>
      <form className={styles.form}>
        <NetworkChoice
          chains={chains}
          value={chain.id}
          onChange={({ target }) => setChosen(Number(target.value))}
        />
      </form>
      <OfChain key={chain.id} owner={owner} chain={chain} />
    </>
  )
}

interface Row {
  readonly key: string
  readonly approval: Approval
  readonly isUnlisted: boolean
  /** Why it may not be the token that it calls itself. */
  readonly doubts: readonly LabelDoubt[]
  readonly spenderName: string | undefined
  /** What may be taken, in words. */
  readonly what: string
}

function OfChain({ owner, chain }: { owner: `0x${string}`; chain: ChainFacts }) {
  useFollow()
  const { figures, phase } = useWallet()
  const { found, read } = useApprovals(owner, chain.id)
  const rows = rowsOf(read.known?.value ?? [], chain.id, figures)
  const facts = useSpenders(rows, found, chain.id)
  const { review } = useReviewedTransaction()
  const [selected, setSelected] = useState<readonly string[]>([])
  const revocable = rows.filter(({ approval }) => approval.units !== null)
  const chosen = revocable.filter(({ key }) => selected.includes(key))
  const isReady = phase === 'connected'
  const revoke = (some: readonly Row[]) =>
    review({ chainId: chain.id, calls: some.map(({ approval }) => revocationOf(approval.figure)) })

  function select(key: string, isOn: boolean): void {
    const others = selected.filter((other) => other !== key)
    setSelected(isOn ? [...others, key] : others)
  }

  return (
    <section className={styles.list} aria-label={chain.name} aria-busy={read.why === 'waiting'}>
      {revocable.length > 1 && (
        <div className={styles.several}>
          <Choice
            isChecked={chosen.length === revocable.length}
            onChange={(isOn) => setSelected(isOn ? revocable.map(({ key }) => key) : [])}
          >
            <Worded text={approvalTexts.all(revocable.length)} />
          </Choice>
          <button
            type="button"
            className={button.primary}
            disabled={!isReady || chosen.length === 0}
            onClick={() => revoke(chosen)}
          >
            <Worded
              text={chosen.length === 0 ? approvalTexts.revoke : approvalTexts.revokeSelected(chosen.length)}
            />
          </button>
        </div>
      )}
      {rows.length > 0 ? (
        <ul>
          {rows.map((row) => (
            <ApprovalRow
              key={row.key}
              row={row}
              spender={facts[row.approval.figure.spender.toLowerCase()]}
              blocks={figures.block(found?.blocks ?? 0)}
              isSelected={selected.includes(row.key)}
              onSelect={(isOn) => select(row.key, isOn)}
              onRevoke={isReady ? () => revoke([row]) : null}
            />
          ))}
        </ul>
      ) : (
        <Nothing read={read} found={found} />
      )}
      <SearchNote chain={chain} read={read} found={found} />
    </section>
  )
}

function useApprovals(owner: `0x${string}`, chainId: number) {
  const readChain = useReadChain()
  const records = useTransactions()
  useAddedTokens()
  const { data: found } = useQuery(foundQuery(readChain, { chainId, owner }))
  const spenders = spendersOf(chainId)
  const { data: last = noFigure, isPlaceholderData } = useQuery({
    ...approvalsQuery(readChain, {
      chainId,
      owner,
      tokens: tokensOf(chainId).map(({ address }) => address),
      spenders: spenders.map(({ address }) => address),
      permitted: spenders.filter(({ isPermitted }) => isPermitted).map(({ address }) => address),
      found: [...approvedIn(records, { chainId, owner }), ...(found?.figures ?? [])],
    }),
    placeholderData: keepPreviousData,
  })
  // Placeholder data lacks the approvals that were found after the last read.
  const read: typeof last = isPlaceholderData ? { ...last, why: 'waiting' } : last
  return { found, read }
}

/** Those that the site has no name for. */
function useSpenders(
  rows: readonly Row[],
  found: FoundApprovals | undefined,
  chainId: number,
): Readonly<Record<string, Spender>> {
  const readChain = useReadChain()
  const names = rows.flatMap(({ approval, spenderName }) => (spenderName ? [] : approval.figure.spender))
  const spenders = [...new Set(names)].toSorted()
  const { data = {} } = useQuery({
    ...spendersQuery(readChain, { chainId, spenders, since: found?.since ?? null }),
    enabled: spenders.length > 0 && found !== undefined,
    placeholderData: keepPreviousData,
  })
  return data
}

/** The site's own tokens come first, of these what may be taken without limit; what is unknown comes last. */
function rowsOf(approvals: readonly Approval[], chainId: number, figures: Figures): readonly Row[] {
  const tokens = tokensOf(chainId)
  const named = spendersOf(chainId)
  const rank = ({ approval, isUnlisted }: Row) =>
    (approval.units === null ? 4 : 0) + (isUnlisted ? 2 : 0) + (isUnlimited(approval) ? 0 : 1)
  return approvals
    .map((approval) => {
      const { figure, label } = approval
      const { token: address } = figure
      const token = tokens.find((one) => isSame(one.address, address))
      return {
        key: keyOfFigure(figure),
        approval,
        isUnlisted: token === undefined && !isListed({ chainId, address }),
        doubts: token || !label ? [] : labelDoubts({ chainId, address, symbol: label.symbol }),
        spenderName: named.find((one) => isSame(one.address, figure.spender))?.name,
        what: wordsOf(approval, token, figures),
      }
    })
    .toSorted((one, other) => rank(one) - rank(other))
}

function wordsOf(approval: Approval, token: ListedToken | undefined, figures: Figures): string {
  const { units, label, figure } = approval
  const written = token ?? label
  const name = written?.symbol ?? formatAddress(figure.token)
  if (units === null) return approvalTexts.unknown(name)
  if (figure.kind === 'item') return approvalTexts.item(`${figure.id}`, name)
  if (figure.kind === 'collection') return approvalTexts.collection(name)
  if (isUnlimited(approval)) return sentence`${tokenTexts.unlimited} ${name}`
  return written
    ? sentence`${figures.amount(units, written.decimals)} ${name}`
    : approvalTexts.some(`${units}`, name)
}

interface RowProps {
  readonly row: Row
  readonly spender: Spender | undefined
  readonly blocks: string
  readonly isSelected: boolean
  readonly onSelect: (isOn: boolean) => void
  readonly onRevoke: (() => void) | null
}

function ApprovalRow({ row, spender, blocks, isSelected, onSelect, onRevoke }: RowProps) {
  const { approval, isUnlisted, doubts, spenderName, what } = row
  const { endMs, units } = approval
  const { kind, token, spender: address } = approval.figure
  if (units === null)
    return (
      <li>
        <p className={styles.words}>
          <strong>
            <Worded text={what} />
          </strong>
          <span>{approvalTexts.unknownText}</span>
        </p>
      </li>
    )
  return (
    <li>
      <label className={styles.choice}>
        <input type="checkbox" checked={isSelected} onChange={({ target }) => onSelect(target.checked)} />
        <span className={styles.words}>
          <strong>
            <Worded text={what} />
          </strong>
          <span>
            <span>{approvalTexts.by}</span>{' '}
            {spenderName ? <strong>{spenderName}</strong> : <Address address={address} />}
            {kind === 'permit2' && <span>{` ${approvalTexts.through}`}</span>}
            {endMs !== null && (
              <span>
                <Worded text={` ${approvalTexts.until(dayTime(endMs))}`} />
              </span>
            )}
          </span>
          {spender && <SpenderFacts spender={spender} blocks={blocks} />}
          {isUnlisted && <Unlisted token={token} doubts={doubts} />}
        </span>
      </label>
      <button
        type="button"
        className={styles.revoke}
        disabled={onRevoke === null}
        aria-label={approvalTexts.revokeOf(plainText(what), spenderName ?? address)}
        onClick={() => onRevoke?.()}
      >
        {approvalTexts.revoke}
      </button>
    </li>
  )
}

function SpenderFacts({ spender, blocks }: { spender: Spender; blocks: string }) {
  const { contract, old, young, ...others } = approvalTexts.spender
  if (spender.kind !== 'contract')
    return <span data-danger={spender.kind === 'account'}>{others[spender.kind]}</span>
  const { isNew } = spender
  return (
    <span data-danger={isNew === true}>
      <Worded text={isNew === null ? contract : (isNew ? young : old)(blocks)} />
    </span>
  )
}

/** Its name is what it calls itself. */
function Unlisted({ token, doubts }: { token: `0x${string}`; doubts: readonly LabelDoubt[] }) {
  return (
    <>
      <span>
        <span>{approvalTexts.unlisted}</span> <Address address={token} />
      </span>
      {doubts.map((doubt) => (
        <span key={doubt} data-danger>
          {tokenTexts.doubts[doubt]}
        </span>
      ))}
    </>
  )
}

interface ReadProps {
  readonly read: Figure<readonly Approval[]>
  readonly found: FoundApprovals | undefined
}

/** That there is nothing is said once all has been read. */
function Nothing({ read, found }: ReadProps) {
  return (
    <p className={styles.none} role="status">
      {read.known === null || read.why === 'waiting' || found === undefined ? (
        <span>
          {read.why === null || read.why === 'waiting' ? chainTexts.waiting : failureTexts[read.why]}
        </span>
      ) : (
        <>
          <strong>{approvalTexts.none}</strong>
          <span>{approvalTexts.noneText}</span>
        </>
      )}
    </p>
  )
}

/** How far the search went, and who agrees on what was found. */
function SearchNote({ chain, read, found }: ReadProps & { chain: ChainFacts }): ReactNode {
  const { figures } = useWallet()
  const { known, why } = read
  const quorum = known?.evidence
  return (
    <div className={styles.note}>
      <p>
        <Worded
          text={
            found === undefined || why === 'waiting'
              ? approvalTexts.searching
              : found.blocks > 0
                ? approvalTexts.searched(figures.block(found.blocks))
                : approvalTexts.notSearched
          }
        />
      </p>
      {known && why !== null && why !== 'waiting' && <p data-danger>{failureTexts[why]}</p>}
      {quorum && (
        <p className={styles.agreement}>
          <AgreementRing quorum={quorum} size={32} />
          <span translate="no">{agreementLine(quorum)}</span>
          <WhyLink certificateId={known.certificateId} of={approvalTexts.whyOf(chain.name)} />
        </p>
      )}
    </div>
  )
}
