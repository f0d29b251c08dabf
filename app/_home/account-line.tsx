import { formatAddress, formatName } from '#lib/page/format.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { Address } from '../_ui/address.tsx'
import { Avatar } from '../_ui/avatar.tsx'
import button from '../_ui/button.module.css'
import { PageLink } from '../_ui/page-link.tsx'
import styles from './account-line.module.css'
import { Actions } from './actions.tsx'
import { CopyButton } from './copy-button.tsx'

export interface AccountProps {
  readonly address: `0x${string}`
  readonly name: string | undefined
  /** What the name's address rests on, where that is not the chain alone. */
  readonly note: string | null
  /** Whether this is a looked-up address, not the visitor's own. */
  readonly isForeign: boolean
}

/** The address of the balances, and the actions for it. */
export function Account({ address, name, note, isForeign }: AccountProps) {
  return (
    <section className={styles.account}>
      <Avatar address={address} size={64} />
      <div>
        <h1 className={styles.name} translate="no">
          {name ? formatName(name) : formatAddress(address)}
        </h1>
        <p className={styles.address}>
          <Address address={address} />
          <CopyButton text={address} label={accountTexts.copy} />
        </p>
        {note && <p className={styles.address}>{note}</p>}
      </div>
      {isForeign ? (
        <div className={styles.actions}>
          <PageLink className={button.quiet} href="/">
            {accountTexts.stopLooking}
          </PageLink>
        </div>
      ) : (
        <Actions address={address} />
      )}
    </section>
  )
}
