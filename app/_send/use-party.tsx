'use client'

import { useState } from 'react'
import { findParty, type NamedParty } from '#lib/names/named-party.ts'
import { nameTexts } from '#lib/page/texts/names.ts'
import { nameIn, readTyped, type Typed } from '#lib/page/typed-address.ts'
import { Address } from '../_ui/address.tsx'
import { useSite } from '../_wallet/wallet.ts'
import styles from './send-form.module.css'

/** What the address field says, with the address that a name leads to; or why there is none. */
export type FoundTyped = { readonly typed: Typed; readonly named?: NamedParty } | { readonly error: string }

interface Offer {
  readonly text: string
  readonly chainId: number
  readonly address: `0x${string}`
}

/** The address field of a recipient or spender, in which a name may stand. */
export function useParty(text: string, chainId: number) {
  const { chains, hasNames } = useSite()
  const [offer, setOffer] = useState<Offer | null>(null)
  const [isAccepted, setAccepted] = useState(false)
  const current = offer?.text === text && offer.chainId === chainId ? offer : null
  const chain = chains.find(({ id }) => id === chainId)?.name ?? String(chainId)

  async function find(): Promise<FoundTyped> {
    const typed = readTyped(text)
    const name = nameIn(typed)
    if (name === null || !hasNames) return { typed }
    const found = await findParty(name, chainId)
    if ('why' in found) return { error: nameTexts.faults[found.why] ?? nameTexts.faults.unreachable }
    const { address, mainnetAddress, party: named } = found
    if (address !== null) return { typed: { kind: 'address', address }, named }
    if (mainnetAddress === null) return { error: nameTexts.none(named.name, chain) }
    if (isAccepted && current?.address === mainnetAddress)
      return { typed: { kind: 'address', address: mainnetAddress }, named }
    setOffer({ text, chainId, address: mainnetAddress })
    setAccepted(false)
    return { error: nameTexts.none(named.name, chain) }
  }

  const choice = current && (
    <label className={styles.offer}>
      <input type="checkbox" checked={isAccepted} onChange={(event) => setAccepted(event.target.checked)} />
      <span>
        {nameTexts.useMainnet} <Address address={current.address} /> {nameTexts.mainnetRisk(chain)}
      </span>
    </label>
  )
  return { find, choice }
}
