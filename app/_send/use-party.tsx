import { useState } from 'react'
import { findParty, type NamedParty } from '#lib/names/named-party.ts'
import { addressTexts } from '#lib/page/texts/address.ts'
import { nameTexts } from '#lib/page/texts/names.ts'
import { nameIn, readTyped } from '#lib/page/typed-address.ts'
import { Address } from '../_ui/address.tsx'
import { Choice } from '../_ui/choice.tsx'
import { Worded } from '../_ui/worded.tsx'
import { useSite } from '../_wallet/wallet.ts'

/** The address that was typed, or that a typed name leads to; or why there is none. */
type FoundAddress =
  | { readonly address: `0x${string}`; readonly named?: NamedParty }
  | { readonly error: string }

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

  async function find(): Promise<FoundAddress> {
    const typed = readTyped(text)
    if (typed.kind === 'address') return { address: typed.address }
    const name = nameIn(typed)
    if (name === null || !hasNames)
      return { error: addressTexts[typed.kind === 'refused' ? typed.why : 'shape'] }
    const found = await findParty(name, chainId)
    if ('why' in found) return { error: nameTexts.faults[found.why] ?? nameTexts.faults.unreachable }
    const { address, mainnetAddress, party: named } = found
    if (address !== null) return { address, named }
    if (mainnetAddress !== null) {
      if (isAccepted && current?.address === mainnetAddress) return { address: mainnetAddress, named }
      setOffer({ text, chainId, address: mainnetAddress })
      setAccepted(false)
    }
    return { error: nameTexts.none(named.name, chain) }
  }

  const choice = current && (
    <Choice isChecked={isAccepted} onChange={setAccepted}>
      <span>{nameTexts.useMainnet}</span> <Address address={current.address} />{' '}
      <Worded text={nameTexts.mainnetRisk(chain)} />
    </Choice>
  )
  return { find, choice }
}
