import { hasNames, namesChainId } from '#lib/config/features.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import { nameTexts } from '#lib/page/texts/names.ts'
import { nameIn, type Typed } from '#lib/page/typed-address.ts'

/** The name that led to a looked-up address. */
export interface SearchedName {
  readonly name: string
  /** What it rests on, where that is not the chain alone. */
  readonly note: string | null
}

/** What was typed, with the address on Ethereum in place of a name. */
export async function lookUpName(
  typed: Typed,
): Promise<{ readonly typed: Typed; readonly named?: SearchedName }> {
  const text = nameIn(typed)
  if (text === null || !hasNames(chains().map(({ id }) => id))) return { typed }
  const { findName } = await import('#lib/names/names-route.ts')
  const found = await findName(text, namesChainId)
  if ('why' in found)
    return { typed: { kind: 'refused', text, why: found.why === 'no-name' ? 'no-name' : 'name-unread' } }
  const { name, isOffchain, address } = found
  if (address === null) return { typed: { kind: 'refused', text, why: 'name-empty' } }
  return {
    typed: { kind: 'address', address },
    named: { name, note: isOffchain ? nameTexts.offchain : null },
  }
}
