'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { agreementLine, chainTexts, failureTexts } from '#lib/page/texts/chain.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import type { Figure } from '#lib/reads/figure.ts'
import type { QuorumRead } from '#lib/reads/quorum-read.ts'
import type { TokenFacts } from '#lib/token/erc20.ts'
import { CopyButton } from '../_home/copy-button.tsx'
import { Address } from '../_ui/address.tsx'
import { LoadFailed } from '../_ui/failure.tsx'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import page from '../_ui/page.module.css'
import { AgreementRing } from '../_ui/quorum-ring.tsx'
import box from '../_ui/warning.module.css'
import { WhyLink } from '../_ui/why-link.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './token.module.css'
import { tokenKey, withoutBalance } from './token-key.ts'

/** The server got nothing in time. */
const unread: Figure<never> = { known: null, knownMs: null, why: 'waiting' }

const ownerCode = lazyCode('token-owner', () => import('./token-owner.tsx'))

interface TokenViewProps {
  readonly address: `0x${string}`
  readonly chain: ChainFacts
  /** Whether the site suggests this token, such as the demo's. Then its name is not only the token's own claim. */
  readonly isSuggested: boolean
}

/** The facts of a token from the server, and the owner's actions, whose code is loaded with a wallet. */
export function TokenView({ address, chain, isSuggested }: TokenViewProps) {
  const { address: own } = useWallet()
  const { data: { known, why } = unread } = useQuery<Figure<TokenFacts>>({
    queryKey: tokenKey({ chainId: chain.id, address, owner: own }),
    queryFn: skipToken,
    placeholderData: withoutBalance,
  })
  // Without a wallet the server's figures are enough, unless it got none in time.
  const isWanted = own !== undefined || why === 'waiting'
  const { module, isFailed, load } = useCode(ownerCode, { isWanted, isAfterPaint: true })
  const poll = module && <module.TokenPoll chainId={chain.id} address={address} owner={own} />
  if (known === null)
    return (
      <>
        <Refused why={why} />
        {poll}
      </>
    )
  return (
    <>
      {poll}
      <Facts read={known} chain={chain} isKnown={own !== undefined} isSuggested={isSuggested} />
      {own === undefined && <p className={styles.muted}>{tokenTexts.connectFirst}</p>}
      {isFailed && <LoadFailed text={tokenTexts.partFailed} onRetry={load} />}
      {own && module && <module.TokenOwner owner={own} token={known.value} chain={chain} />}
    </>
  )
}

/** A contract that refuses to say what it is is no token. */
function Refused({ why }: Pick<Figure, 'why'>) {
  return (
    <p className={page.panel} role="status">
      {why === null || why === 'waiting'
        ? chainTexts.waiting
        : why === 'refused'
          ? tokenTexts.notAToken
          : failureTexts[why]}
    </p>
  )
}

interface FactsProps extends Pick<TokenViewProps, 'chain' | 'isSuggested'> {
  readonly read: QuorumRead<TokenFacts>
  readonly isKnown: boolean
}

function Facts({ read, chain, isKnown, isSuggested }: FactsProps) {
  const { figures } = useWallet()
  const { value: token, evidence: quorum, block, certificateId } = read
  const amount = (units: string) => `${figures.amount(BigInt(units), token.decimals)} ${token.symbol}`
  return (
    <section className={styles.facts} aria-label={token.name || tokenTexts.nameless}>
      {!(token.isListed || isSuggested) && <p className={styles.muted}>{tokenTexts.claims}</p>}
      <h2 translate="no" data-doubtful={token.doubts.length > 0}>
        {token.name || tokenTexts.nameless} <span>{token.symbol}</span>
      </h2>
      {token.doubts.map((doubt) => (
        <p key={doubt} className={box.warning} data-danger>
          {tokenTexts.doubts[doubt]}
        </p>
      ))}
      <dl className={page.facts}>
        <dt>{tokenTexts.contract}</dt>
        <dd className={page.address}>
          <Address address={token.address} />
          <CopyButton text={token.address} label={tokenTexts.copy} />
        </dd>
        <dt>{accountTexts.network}</dt>
        <dd translate="no">{chain.name}</dd>
        <dt>{tokenTexts.decimals}</dt>
        <dd translate="no">{token.decimals}</dd>
        <dt>{tokenTexts.supply}</dt>
        <dd translate="no">{amount(token.supply)}</dd>
        {isKnown && (
          <>
            <dt>{tokenTexts.balance}</dt>
            <dd data-testid="token-balance" translate="no">
              {token.balance === null ? '…' : amount(token.balance)}
            </dd>
          </>
        )}
      </dl>
      {quorum && (
        <p className={styles.agreement}>
          <AgreementRing quorum={quorum} size={32} />
          <span key={`${block}`} translate="no">
            {[
              agreementLine(quorum),
              ...(block === null ? [] : [`${chainTexts.block} ${figures.block(block)}`]),
            ].join(', ')}
          </span>
          <WhyLink certificateId={certificateId} of={tokenTexts.supply} />
        </p>
      )}
    </section>
  )
}
