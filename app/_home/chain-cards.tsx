import type { KnownCall } from '#lib/certificate/proven-call.ts'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { formatTime } from '#lib/page/format.ts'
import { toHex } from '#lib/page/quantity.ts'
import { chainTexts, failureTexts } from '#lib/page/texts/chain.ts'
import { type Figure, figureQuery, noFigure } from '#lib/reads/figure.ts'
import { ChainMark } from '../_ui/chain-mark.tsx'
import { AgreementRing } from '../_ui/quorum-ring.tsx'
import { WhyLink } from '../_ui/why-link.tsx'
import { useReadChain } from '../_wallet/use-read-chain.ts'
import { useSite, useVisitor } from '../_wallet/wallet.ts'
import styles from './chain-cards.module.css'
import { LateQuery } from './late-query.tsx'

/** Figures with more integer digits get a smaller font, and may take two lines. */
const wholeLengthLarge = 9

interface ChainCardsProps {
  /** Whose balances are shown; without an address the heads are. */
  readonly address: `0x${string}` | undefined
  readonly isForeign: boolean
  readonly lateChains: readonly number[]
}

/** One card per chain: its figure and who agreed on it. */
export function ChainCards({ address, isForeign, lateChains }: ChainCardsProps) {
  const { chains } = useSite()
  const { chainId } = useVisitor()
  const readChain = useReadChain()
  return (
    <ul className={styles.cards}>
      {chains.map((chain) => (
        <LateQuery
          key={chain.id}
          query={figureQuery(readChain, chain.id, address)}
          placeholder={noFigure}
          isLate={lateChains.includes(chain.id)}
        >
          {(figure, isStreamed) => (
            <ChainCard
              chain={chain}
              figure={figure}
              address={address}
              isActive={!isForeign && chain.id === chainId}
              isStreamed={isStreamed}
            />
          )}
        </LateQuery>
      ))}
    </ul>
  )
}

interface ChainCardProps {
  readonly chain: ChainFacts
  readonly figure: Figure
  readonly address: `0x${string}` | undefined
  readonly isActive: boolean
  /** Whether its figure is still loading from the server. */
  readonly isStreamed: boolean
}

function ChainCard({ chain, figure, address, isActive, isStreamed }: ChainCardProps) {
  return (
    <li
      className={styles.card}
      data-active={isActive}
      data-chain={isStreamed ? undefined : chain.id}
      data-streamed={isStreamed || undefined}
    >
      <h3 className={styles.name}>
        <ChainMark id={chain.id} name={chain.name} size={28} />
        <span translate="no">{chain.name}</span>
        {isActive && <span className={styles.active}>{chainTexts.active}</span>}
      </h3>
      {address ? <Balance chain={chain} balance={figure} /> : <Head head={figure} />}
      <Agreement figure={figure}>
        {figure.known && figure.why === null && (
          <WhyLink
            certificateId={figure.known.certificateId}
            call={callOf(figure.known, address)}
            of={chain.name}
          />
        )}
      </Agreement>
    </li>
  )
}

function Head({ head: { known, why } }: { head: Figure }) {
  const { figures } = useSite()
  return (
    <div className={styles.figure} data-old={why !== null}>
      <p className={styles.label}>{why !== null && known ? chainTexts.lastKnown : chainTexts.head}</p>
      <p className={styles.number} data-testid="head" translate="no">
        {known ? figures.block(Number(known.value)) : <span className={styles.blank} />}
      </p>
    </div>
  )
}

function Balance({ chain, balance: { known, why } }: { chain: ChainFacts; balance: Figure }) {
  const { figures } = useSite()
  const amount = known && figures.split(known.value, chain.currency.decimals)
  return (
    <div className={styles.figure} data-old={why !== null}>
      <p
        className={styles.number}
        data-long={(amount?.whole.length ?? 0) > wholeLengthLarge}
        data-testid="balance"
        translate="no"
      >
        {amount ? (
          <>
            {amount.whole}
            <span className={styles.fraction}>{amount.fraction}</span>
            <span className={styles.symbol}> {chain.currency.symbol}</span>
          </>
        ) : (
          <span className={styles.blank} />
        )}
      </p>
      <p className={styles.label}>
        {why !== null && known && <span>{`${chainTexts.lastKnown}, `}</span>}
        {known && known.block !== null && (
          <>
            <span>{chainTexts.block}</span> <span translate="no">{figures.block(known.block)}</span>
          </>
        )}
      </p>
    </div>
  )
}

/** A head is explained by its block alone. */
function callOf(
  { block, value }: NonNullable<Figure['known']>,
  address: `0x${string}` | undefined,
): KnownCall | null {
  if (block === null || address === undefined) return null
  const params = [address.toLowerCase(), toHex(block)]
  return { method: 'eth_getBalance', params, result: toHex(value) }
}

interface AgreementProps {
  readonly figure: Figure
  /** The link to the evidence. */
  readonly children: React.ReactNode
}

/** The quorum behind the figure, as a ring and as text; or the reason why there is none. */
function Agreement({ figure: { known, knownMs, why }, children }: AgreementProps) {
  const quorum = (why === null && known?.evidence) || null
  const state = quorum?.unreached ? 'thin' : why === null ? 'agreed' : why === 'waiting' ? why : 'refused'
  return (
    <div className={styles.agreement} data-state={state}>
      <AgreementRing quorum={quorum} size={40} />
      <p>
        {why !== null && <span key={why}>{why === 'waiting' ? chainTexts.waiting : failureTexts[why]}</span>}
        {state === 'refused' && knownMs !== null && (
          <span translate="no">{chainTexts.since(formatTime(knownMs))}</span>
        )}
        {quorum && (
          <>
            <strong key={chainTexts.agreement(quorum)} translate="no">
              {chainTexts.agreement(quorum)}
            </strong>
            <span className={styles.more}>
              {quorum.dissenting > 0 && <span translate="no">{chainTexts.dissent(quorum)}</span>}
              {children}
            </span>
          </>
        )}
      </p>
    </div>
  )
}
