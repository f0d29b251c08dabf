import { checksumAddress, isAddress } from 'viem'
import { readPaymentRequest, type TypedForm } from './payment-request.ts'
import type { addressTexts } from './texts/address.ts'

type AddressFault = keyof typeof addressTexts

/** A typed or pasted address. A payment request may also name a chain and an amount in wei. */
export interface TypedAddress {
  readonly kind: 'address'
  readonly address: `0x${string}`
  readonly chainId?: number
  readonly value?: bigint
}

/** The content of an address field. */
export type Typed =
  | { readonly kind: 'nothing' }
  | TypedAddress
  | { readonly kind: 'refused'; readonly text: string; readonly why: AddressFault }

const charactersMax = 512

/**
 * Reads an address as it is typed or pasted: with invisible characters, line breaks or quotes around it, as `0X…`, as a payment
 * request, with the prefix of a chain, or in an explorer's link. Mixed case must match the EIP-55 checksum.
 */
export function readTyped(value: string | readonly string[] | undefined): Typed {
  const given = (typeof value === 'string' ? value : (value?.[0] ?? '')).slice(0, charactersMax)
  const text = given.replace(invisible, '').trim()
  if (text === '') return { kind: 'nothing' }
  const found = readForm(text.replace(quotes, ''))
  // Its letters are its own: what is invisible may be a part of one.
  if ('why' in found && found.why === 'name' && !text.includes(':'))
    return { kind: 'refused', text: given.trim(), why: 'name' }
  // What may be a private key is not written into the page again.
  if ('why' in found) return { kind: 'refused', text: found.why === 'secret' ? '' : text, why: found.why }
  const { address, ...more } = found
  const digits = address.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && checksumAddress(`0x${digits}`) !== `0x${digits}`)
    return { kind: 'refused', text, why: 'checksum' }
  return { kind: 'address', address: checksumAddress(`0x${digits.toLowerCase()}`), ...more }
}

/** Refuses an address that names a network other than these. */
export function onNetworks(typed: Typed, chainIds: readonly number[]): Typed {
  if (typed.kind !== 'address' || typed.chainId === undefined || chainIds.includes(typed.chainId))
    return typed
  return { kind: 'refused', text: typed.address, why: 'network' }
}

/** The name that was typed in place of an address, to be looked up; null for anything else. */
export function nameIn(typed: Typed): string | null {
  return typed.kind === 'refused' && typed.why === 'name' && !typed.text.includes(':') ? typed.text : null
}

/** Whether a text is more than an address, so that a field should show what was understood. */
export function isOtherForm(text: string): boolean {
  return !/^0x[0-9a-fA-F]{40}$/.test(text.trim())
}

/** Zero-width, direction and control characters, soft hyphens included. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu
const quotes = /^["'`<([\u2018\u201c]+|["'`>)\],.;\u2019\u201d]+$/gu

function readForm(text: string): TypedForm {
  if (/^ethereum:/i.test(text)) return readPaymentRequest(text)
  const [, prefix, rest] = /^(eip155:\d{1,15}|[a-z][a-z0-9-]{1,31}):(0x.*)$/i.exec(text) ?? []
  if (prefix !== undefined && rest !== undefined) return readPrefixed(prefix.toLowerCase(), rest)
  if (/^(https?:\/\/|[a-z0-9-]+(\.[a-z0-9-]+)+\/)/i.test(text)) return readLink(text)
  return readDigits(text)
}

function readDigits(text: string): TypedForm {
  const joined = text.replace(/\s+/g, '')
  const address = joined.replace(/^0X/, '0x')
  if (isAddress(address, { strict: false })) return { address }
  return { why: faults.find(([, pattern]) => pattern.test(joined))?.[0] ?? 'shape' }
}

/** The most specific first. */
const faults: readonly (readonly [AddressFault, RegExp])[] = [
  ['prefix', /^[0-9a-f]{40}$/i],
  ['secret', /^(0x)?[0-9a-f]{64}$/i],
  ['shortened', /^0x[0-9a-f]*(…|\.{2,}|⋯)[0-9a-f]*$/i],
  ['characters', /^0[xхХ×].{40}$/iu],
  ['name', /^[^\s/:@.<>]+(\.[^\s/:@.<>]+)+$/u],
]

/** Chains by their short name (EIP-3770), as Safe puts it before an address. */
const shortNames: ReadonlyMap<string, number> = new Map([
  ['eth', 1],
  ['oeth', 10],
  ['bnb', 56],
  ['gno', 100],
  ['pol', 137],
  ['matic', 137],
  ['base', 8453],
  ['arb1', 42161],
])

function readPrefixed(prefix: string, text: string): TypedForm {
  const found = readDigits(text)
  const chainId = prefix.startsWith('eip155:') ? Number(prefix.slice(7)) : shortNames.get(prefix)
  if ('why' in found || chainId === undefined) return 'why' in found ? found : { why: 'shape' }
  return { ...found, chainId }
}

/** An explorer's page of an address. The query may name others, such as a holder. */
function readLink(text: string): TypedForm {
  const url = /^https?:/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(url)) return { why: 'link' }
  const segments = new URL(url).pathname.split('/')
  if (segments.some((segment) => /^0x[0-9a-f]{64}$/i.test(segment))) return { why: 'transaction' }
  const addresses = segments.filter((segment) => isAddress(segment, { strict: false }))
  const [address, ...others] = new Set(addresses as `0x${string}`[])
  return address === undefined || others.length > 0 ? { why: 'link' } : { address }
}
