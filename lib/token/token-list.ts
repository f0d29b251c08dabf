import { isAddress } from 'viem'
import { isRecord } from '../parse-json.ts'

/** A token as a list of https://tokenlists.org has it. */
export interface ListedToken {
  readonly chainId: number
  readonly address: `0x${string}`
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

/** Of one chain. With those that a visitor adds, one multicall reads them all. */
export const listedMax = 250
export const addedMax = 50

/** The tokens of a list in the schema of https://tokenlists.org (1.0.0-beta.35). Throws, naming the first entry that is wrong. */
export function parseTokenList(list: unknown): readonly ListedToken[] {
  if (!isRecord(list) || !Array.isArray(list.tokens)) throw new Error('the token list has no tokens')
  for (const [key, pattern] of Object.entries(headPatterns))
    if (!pattern.test(JSON.stringify(list[key]) ?? '')) throw new Error(`the token list has no valid ${key}`)
  const seen = new Map<string, number>()
  return list.tokens.map((token: unknown, index) => {
    const fail = (why: string) => new Error(`token ${index} of the list: ${why}: ${JSON.stringify(token)}`)
    const wrong = wrongField(token)
    if (wrong !== null || !isListedToken(token)) throw fail(`no valid ${wrong}`)
    const ofChain = (seen.get(String(token.chainId)) ?? 0) + 1
    if (ofChain > listedMax) throw fail(`more than ${listedMax} of one chain`)
    if (seen.has(keyOf(token))) throw fail('it is there twice')
    seen.set(String(token.chainId), ofChain).set(keyOf(token), index)
    return token
  })
}

export function isListedToken(value: unknown): value is ListedToken {
  return wrongField(value) === null
}

/** The same for the same contract. */
export function keyOf({ chainId, address }: { readonly chainId: number; readonly address: string }): string {
  return `${chainId}:${address.toLowerCase()}`
}

const headPatterns = {
  name: /^"[\w ]{1,30}"$/,
  timestamp: /^"\d{4}-\d\d-\d\dT[\d:.+Z-]+"$/,
  version: /^\{("(major|minor|patch)":\d+,?){3}\}$/,
} as const

/** 10^77 is the largest power of ten in 256 bits. */
export const decimalsMax = 77

const fields: Readonly<Record<keyof ListedToken, (value: unknown) => boolean>> = {
  chainId: (value) => Number.isInteger(value) && Number(value) > 0,
  address: (value) => typeof value === 'string' && isAddress(value),
  symbol: (value) => typeof value === 'string' && /^\S{1,20}$/u.test(value),
  name: (value) => typeof value === 'string' && /^\S(.{0,58}\S)?$/u.test(value),
  decimals: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= decimalsMax,
}

function wrongField(token: unknown): string | null {
  if (!isRecord(token)) return 'entry'
  return Object.entries(fields).find(([key, isValid]) => !isValid(token[key]))?.[0] ?? null
}
