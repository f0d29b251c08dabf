'use client'

import { formatAddress, formatName } from '#lib/page/format.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { Avatar } from '../_ui/avatar.tsx'
import { ChainMark } from '../_ui/chain-mark.tsx'
import { LoadFailed } from '../_ui/failure.tsx'
import styles from './account-corner.module.css'
import { type Phase, useSite, useVisitor, useWalletState } from './wallet.ts'

const labels: Partial<Record<Phase, string>> = {
  late: accountTexts.reconnect,
  connecting: accountTexts.connecting,
}

/** The account button and the network button. Both keep their size in every phase to avoid layout shifts. */
export function AccountCorner() {
  const { prepare } = useSite()
  const { address, name, chain } = useVisitor()
  const { phase, walletPrompt, opening, open } = useWalletState()
  const intent = { onPointerEnter: prepare, onFocus: prepare, onTouchStart: prepare }
  const known = address !== undefined && (phase === 'connected' || phase === 'returning')
  const isLocked = address !== undefined && phase === 'locked'
  const strange = known && !chain
  const visible = name ? formatName(name) : formatAddress(address ?? '')

  return (
    <div className={styles.corner} data-phase={phase}>
      {known && (
        <button
          type="button"
          className={strange ? styles.wrong : styles.chain}
          aria-label={chain && `${accountTexts.network}: ${chain.name}`}
          data-press
          aria-busy={opening === 'chain'}
          {...intent}
          onClick={() => open('chain')}
        >
          {chain ? <ChainMark id={chain.id} name={chain.name} size={24} /> : accountTexts.wrongNetwork}
        </button>
      )}
      {known || isLocked ? (
        <button
          type="button"
          className={styles.account}
          data-beside-warning={strange}
          aria-label={`${isLocked ? accountTexts.unlock : accountTexts.account} ${visible}`}
          data-press
          aria-busy={opening === (strange ? 'chain' : 'account')}
          {...intent}
          onClick={() => open(strange ? 'chain' : 'account')}
        >
          <Avatar address={address} size={26} />
          <span className={styles.address} translate={isLocked ? undefined : 'no'}>
            {isLocked ? accountTexts.unlock : visible}
          </span>
        </button>
      ) : (
        <button
          type="button"
          className={phase === 'late' ? styles.late : styles.connect}
          data-press={phase === 'none' ? 'connect' : ''}
          aria-busy={phase === 'connecting' || opening === 'connect'}
          {...intent}
          onClick={() => open('connect')}
        >
          {labels[phase] ?? accountTexts.connect}
        </button>
      )}
      {walletPrompt && (
        <div className={styles.error}>
          <LoadFailed text={walletPrompt.text} onRetry={walletPrompt.retry} />
        </div>
      )}
    </div>
  )
}
