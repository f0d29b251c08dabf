import { ParsedMessage } from '@spruceid/siwe-parser'
import type { Address } from 'viem'
import type { SignInReason } from './reasons.ts'
import { type GivenNonce, nonceMsMax } from './sealed-cookies.ts'

/** What a sign-in message must contain. None of it comes from the request's `Host` header. */
export interface Expected {
  /** Origin of this site, `https://app.example`. */
  readonly origin: string
  readonly chainIds: readonly number[]
  /** The nonces given to this browser, one for each tab. */
  readonly nonces: readonly GivenNonce[]
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** What a message claims, before its signature is verified. */
export interface Claim {
  /** EIP-55. */
  readonly address: Address
  readonly chainId: number
  /** The message's own, of those that this browser was given. */
  readonly nonce: GivenNonce
}

/** Why a message is refused. `detail` names what is wrong in it and quotes nothing of it. */
export interface MessageFault {
  readonly reason: SignInReason
  readonly detail: string
}

export const messageCharsMax = 2048
/** Allowed clock skew of a device that dates its messages itself. */
const skewMsMax = 5 * 60_000

/**
 * Parses a Sign-In with Ethereum message (EIP-4361): exactly one such message, for this site, a configured chain, one of these nonces
 * and the current time. It may leave out Expiration Time, as EIP-4361 allows: its nonce is good once and for minutes, whatever the
 * message says.
 */
export function readMessage(
  text: string,
  { origin, chainIds, nonces, nowMs }: Expected,
): Claim | MessageFault {
  const message = parse(text)
  if ('reason' in message) return message
  const given = nonces.find(({ nonce }) => nonce === message.nonce && nonce !== '')
  if (given === undefined) return { reason: 'nonce', detail: 'nonce' }
  const { host, protocol } = new URL(origin)
  const issuedMs = Date.parse(message.issuedAt)
  const expiresMs =
    message.expirationTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(message.expirationTime)
  const notBeforeMs = message.notBefore === undefined ? issuedMs : Date.parse(message.notBefore)
  const givenMs = given.untilMs - nonceMsMax
  const checks: readonly (readonly [isSo: boolean, reason: SignInReason, detail: string])[] = [
    [given.untilMs > nowMs, 'expired', 'expired nonce'],
    [message.domain === host, 'site', 'domain'],
    [message.scheme === undefined || `${message.scheme}:` === protocol, 'site', 'scheme'],
    [message.uriElements.userinfo === undefined && originOf(message.uri) === origin, 'site', 'uri'],
    [message.version === '1', 'format', 'version'],
    [chainIds.includes(message.chainId), 'chain', 'chain'],
    [issuedMs >= givenMs - skewMsMax && issuedMs <= nowMs + skewMsMax, 'clock', 'issued at'],
    [expiresMs > nowMs, 'expired', 'expiration time'],
    [notBeforeMs <= nowMs + skewMsMax && notBeforeMs < expiresMs, 'clock', 'not before'],
  ]
  const [, reason, detail] = checks.find(([isSo]) => !isSo) ?? []
  if (reason !== undefined && detail !== undefined) return { reason, detail }
  return { address: message.address as Address, chainId: message.chainId, nonce: given }
}

/** Printable ASCII and line feeds. Anything else may look different in the wallet from what is signed. */
const plain = /^[\x20-\x7e\n]+$/

function parse(text: string): ParsedMessage | MessageFault {
  const reason = 'format'
  if (text.length > messageCharsMax) return { reason, detail: 'too long' }
  if (!plain.test(text)) return { reason, detail: 'characters' }
  try {
    const message = new ParsedMessage(text)
    // The parser is lenient. Serializing its result must give back the same text, so that nothing in it was ignored.
    if (written(message) === text) return message
  } catch {}
  return { reason, detail: 'format' }
}

function written(message: ParsedMessage): string {
  const { scheme, domain, address, statement, uri, version, chainId, nonce, issuedAt } = message
  const optional = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}: ${value}`]
  return [
    `${scheme === undefined ? '' : `${scheme}://`}${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...optional('Expiration Time', message.expirationTime),
    ...optional('Not Before', message.notBefore),
    ...optional('Request ID', message.requestId),
    ...(message.resources === undefined
      ? []
      : ['Resources:', ...message.resources.map((resource) => `- ${resource}`)]),
  ].join('\n')
}

function originOf(uri: string): string | null {
  return URL.canParse(uri) ? new URL(uri).origin : null
}
