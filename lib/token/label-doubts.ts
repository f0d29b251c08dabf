import { tokens } from '#site'
import list from '#tokens' with { type: 'json' }
import type { LabelDoubt } from '../page/texts/token.ts'
import { keyOf, parseTokenList } from './token-list.ts'

interface LabelledToken {
  readonly chainId: number
  readonly address: string
  readonly name?: string
  readonly symbol: string
}

/** The tokens of this site in `tokens.json`. */
export const siteTokens = parseTokenList(list)

const listed = [...tokens, ...siteTokens]
const listedKeys = new Set(listed.map(keyOf))

/** Whether this site lists the token. Its name is then known from elsewhere. */
export function isListed(token: Pick<LabelledToken, 'chainId' | 'address'>): boolean {
  return listedKeys.has(keyOf(token))
}

/** Reasons not to believe the name or symbol that a token gives itself, the most serious first. */
export function labelDoubts(token: LabelledToken): readonly LabelDoubt[] {
  if (isListed(token)) return []
  const labels = [token.name ?? '', token.symbol]
  const doubts: Readonly<Record<LabelDoubt, boolean>> = {
    imitates: labels.some(isListedLabel),
    'web-address': labels.some((label) => webAddress.test(label)),
    'mixed-alphabets': labels.some(mixesAlphabets),
  }
  return (Object.keys(doubts) as LabelDoubt[]).filter((doubt) => doubts[doubt])
}

/** With a scheme or a path, or as a host: two letters after a dot. Bridged tokens have one, as in `USDC.e`. */
const webAddress = /:\/\/|\bwww\.|[\p{L}\d-]\.\p{L}{2,}/iu

/** Of any chain: what is sent on one is known from another. */
function isListedLabel(label: string): boolean {
  const skeleton = skeletonOf(label)
  return skeleton !== '' && listedSkeletons.has(skeleton)
}

/** Letters of these look alike; of others, such as Han beside Latin, names are made. */
const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Cherokee}/u]

function mixesAlphabets(label: string): boolean {
  return alphabets.filter((alphabet) => alphabet.test(label)).length > 1
}

/** Each second character is what the first one looks like (a part of UTS 39). */
const lookalikes = 'аaвbсcԁdеeһhнhіiјjкkмmոnоoрpԛqѕsтtυuѵvԝwхxуyαaβbεeηhιiκkμmνvοoρpτtχxγy0o1l|l'
const plainOf = new Map(
  Array.from({ length: lookalikes.length / 2 }, (_, at) => [lookalikes[2 * at], lookalikes[2 * at + 1]]),
)

/** The same for labels that are read as the same. */
function skeletonOf(label: string): string {
  const letters = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd}|]/gu, '')
  return [...letters]
    .map((letter) => plainOf.get(letter) ?? letter)
    .join('')
    .replaceAll('i', 'l')
}

const listedSkeletons = new Set(listed.flatMap(({ name, symbol }) => [skeletonOf(name), skeletonOf(symbol)]))
