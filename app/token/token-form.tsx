import { addressTexts } from '#lib/page/texts/address.ts'
import { tokenTexts } from '#lib/page/texts/token.ts'
import type { Typed } from '#lib/page/typed-address.ts'
import { GetForm } from '../_home/get-form.tsx'
import button from '../_ui/button.module.css'
import { NetworkChoice } from '../_ui/network-choice.tsx'
import page from '../_ui/page.module.css'
import { PageLink } from '../_ui/page-link.tsx'
import styles from './token.module.css'

export interface TokenFormProps {
  readonly typed: Typed
  readonly chains: readonly { readonly id: number; readonly name: string }[]
  readonly chainId: number
  readonly examples: readonly {
    readonly chainId: number
    readonly symbol: string
    readonly address: string
  }[]
}

/** Selects token and chain: a plain GET form. */
export function TokenForm({ typed, chains, chainId, examples }: TokenFormProps) {
  const refused = typed.kind === 'refused' ? typed : null
  const text = typed.kind === 'nothing' ? '' : typed.kind === 'address' ? typed.address : typed.text
  return (
    <search>
      <h1 className={page.title}>{tokenTexts.title}</h1>
      <p className={styles.muted}>{tokenTexts.intro}</p>
      <GetForm className={styles.form} action="/token">
        <NetworkChoice key={chainId} chains={chains} name="chain" defaultValue={chainId} />
        <label className={styles.wide}>
          <span>{tokenTexts.address}</span>
          <input
            key={text}
            name="address"
            defaultValue={text}
            placeholder={tokenTexts.addressExample}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            aria-invalid={refused !== null}
            aria-describedby={refused ? 'token-error' : undefined}
          />
        </label>
        <button type="submit" className={button.quiet}>
          {tokenTexts.lookUp}
        </button>
      </GetForm>
      {refused && (
        <p id="token-error" className={styles.error} role="alert">
          {addressTexts[refused.why]}
        </p>
      )}
      {examples.length > 0 && typed.kind !== 'address' && (
        <p className={styles.examples}>
          <span>{tokenTexts.examples}</span>
          {examples.map((token) => (
            <PageLink key={token.chainId} href={`/token?chain=${token.chainId}&address=${token.address}`}>
              {`${token.symbol}, ${chains.find(({ id }) => id === token.chainId)?.name}`}
            </PageLink>
          ))}
        </p>
      )}
    </search>
  )
}
