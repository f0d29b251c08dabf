import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { erc20Abi } from 'viem'
import { useConfig } from 'wagmi'
import { watchAsset } from 'wagmi/actions'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { isOffered, takeDraft, withdrawDraft } from '#lib/page/draft.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import { isRecord } from '#lib/parse-json.ts'
import { noFigure } from '#lib/reads/figure.ts'
import type { TokenAction, TokenFacts } from '#lib/token/erc20.ts'
import { walletErrorOf } from '#lib/wallet/wallet-errors.ts'
import { site } from '#site'
import { TransactionDialog } from '../_send/transaction-dialog.tsx'
import { useFollow } from '../_send/use-follow.ts'
import { BusyButton } from '../_ui/busy-button.tsx'
import button from '../_ui/button.module.css'
import { NewVersion } from '../_ui/new-version.tsx'
import { useDraft } from '../_ui/use-draft.ts'
import { useReviewedTransaction } from '../_wallet/reviewed-transaction.tsx'
import { useReadChain } from '../_wallet/use-read-chain.ts'
import { useWallet } from '../_wallet/wallet.ts'
import { ActionForm, type TokenDraft } from './action-form.tsx'
import { Events } from './event-list.tsx'
import styles from './token.module.css'
import type { QueriedToken } from './token-key.ts'
import { eventsQuery, tokenQuery } from './token-queries.ts'

export interface TokenOwnerProps {
  readonly owner: `0x${string}`
  readonly token: TokenFacts
  readonly chain: ChainFacts
}

type Doing = { readonly action: TokenAction; readonly draft: TokenDraft } | null

/** Polls the facts of the token that the page shows. */
export function TokenPoll(props: QueriedToken) {
  useQuery(tokenQuery(useReadChain(), props))
  return null
}

/** Token actions of the account owner: transfer, approve, revoke, add to the wallet, and recent events. */
export function TokenOwner({ owner, token, chain }: TokenOwnerProps) {
  useFollow()
  const { phase } = useWallet()
  const readChain = useReadChain()
  const { address, balance } = token
  const read = { chainId: chain.id, address, owner }
  const { data: events = noFigure } = useQuery(eventsQuery(readChain, read))
  const draftName = `token ${chain.id} ${address}`
  const [doing, setDoing] = useState<Doing>(() => restoredDoing(takeDraft(draftName)))
  useDraft(draftName, doing)
  const [last, setLast] = useState<{ readonly owner: string; readonly doing: Doing }>()
  const begin = (action: TokenAction, party = '', amount = '') => {
    const before = last?.owner === owner ? last.doing : null
    const isAgain = !party && before?.action === action && isOffered(before)
    setDoing(isAgain ? before : { action, draft: { party, amount, isUnlimited: false } })
  }
  const { review } = useReviewedTransaction()
  const revoke = (...spenders: readonly `0x${string}`[]) => {
    const [spender = '', ...others] = spenders
    if (others.length === 0) return begin('approve', spender, '0')
    const approval = { abi: erc20Abi, address, functionName: 'approve' } as const
    review({ chainId: chain.id, calls: spenders.map((one) => ({ ...approval, args: [one, 0n] as const })) })
  }
  const ready = phase === 'connected'
  return (
    <>
      <div className={styles.actions}>
        <button type="button" className={button.primary} disabled={!ready} onClick={() => begin('transfer')}>
          {tokenTexts.transfer}
        </button>
        <button type="button" className={button.quiet} disabled={!ready} onClick={() => begin('approve')}>
          {tokenTexts.approve}
        </button>
        <Watch key={owner} token={token} disabled={!ready} />
      </div>
      <Events events={events} token={token} chain={chain} onRevoke={ready ? revoke : null} />
      {doing && ready && (
        <TransactionDialog
          title={doing.action === 'approve' ? tokenTexts.approveTitle : tokenTexts.transfer}
          form={(error, onPlan) => (
            <>
              <NewVersion />
              <ActionForm
                action={doing.action}
                token={token}
                chainId={chain.id}
                balance={balance}
                draft={doing.draft}
                error={error}
                onDraft={(draft) => setDoing({ ...doing, draft })}
                onPlan={onPlan}
              />
            </>
          )}
          onSubmit={async (submission, { isLast }) => {
            const offerAgain = withdrawDraft(doing)
            const { kind } = await submission
            if (kind === 'refused' || (kind === 'sent' && !isLast)) offerAgain()
          }}
          onClose={() => {
            // It may be closed by mistake.
            setLast({ owner, doing })
            setDoing(null)
          }}
        />
      )}
    </>
  )
}

/** The form that was open before the page was loaded again. */
function restoredDoing(stored: unknown): Doing {
  if (!isRecord(stored) || !isRecord(stored.draft)) return null
  const { action } = stored
  const { party, amount, isUnlimited } = stored.draft
  if (action !== 'transfer' && action !== 'approve') return null
  if (typeof party !== 'string' || typeof amount !== 'string') return null
  return { action, draft: { party, amount, isUnlimited: isUnlimited === true } }
}

/** EIP-747: asks the wallet to add the token. */
function Watch({ token, disabled }: { token: TokenFacts; disabled: boolean }) {
  const config = useConfig()
  const [busy, setBusy] = useState(false)
  const [confirmation, setConfirmation] = useState('')
  async function watch() {
    setBusy(true)
    setConfirmation('')
    const { address, symbol, decimals } = token
    const image = `${location.origin}${site.logo}`
    const confirmation = await watchAsset(config, {
      type: 'ERC20',
      options: { address, symbol, decimals, image },
    }).then(
      (isVisible) => (isVisible ? tokenTexts.watched : tokenTexts.notWatched),
      (error) => walletErrorOf(error).sentence,
    )
    setBusy(false)
    setConfirmation(confirmation)
  }
  return (
    <>
      <BusyButton
        className={button.quiet}
        disabled={disabled}
        busy={busy && sendTexts.inWallet}
        onClick={() => void watch()}
      >
        {tokenTexts.watch}
      </BusyButton>
      <p className={styles.muted} role="status">
        {confirmation}
      </p>
    </>
  )
}
