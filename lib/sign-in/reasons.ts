import { type HostResponse, json } from '../http.ts'

/** Why `POST /api/auth/verify` or `/nonce` was refused: `reason` in the answer and in the log. */
export type SignInReason =
  /** The cookie with the nonce did not come back: the browser blocks cookies. */
  | 'cookies'
  /** The nonce is older than ten minutes, or the message's Expiration Time has passed. */
  | 'expired'
  /** The nonce was used before. */
  | 'used'
  /** The message has none of the last nonces of this browser. */
  | 'nonce'
  /** Issued At or Not Before is minutes away from the server's time: the device's clock is wrong. */
  | 'clock'
  /** The message is for another site. */
  | 'site'
  /** The message names a chain that is not configured. */
  | 'chain'
  /** Not one EIP-4361 message. */
  | 'format'
  /** Another key signed, or the account's key signed another text. */
  | 'account'
  /** No signature at all. */
  | 'signature'
  /** The nodes do not agree whether a contract wallet takes the signature. */
  | 'no-majority'
  /** The store of sessions is away or full. */
  | 'store'
  /** Too many attempts of this caller. */
  | 'rate'
  /** The body is no such JSON. */
  | 'body'
  /** A page of another site asked. */
  | 'foreign-origin'
  /** APP_ORIGIN is not set. */
  | 'no-origin'

const retryAfterS: Readonly<Record<number, string>> = { 429: '60', 503: '5' }

/** `{ error, reason }`: a sentence for people and an id that code compares. */
export function refuseSignIn(status: number, reason: SignInReason, sentence: string): HostResponse {
  const seconds = retryAfterS[status]
  return json(status, { error: sentence, reason }, seconds === undefined ? {} : { 'retry-after': seconds })
}
