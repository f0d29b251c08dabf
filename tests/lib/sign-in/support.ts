import { privateKeyToAccount } from 'viem/accounts'

/** anvil's first account. */
export const visitor = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)
/** anvil's second. */
export const stranger = privateKeyToAccount(
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
)

/** The suffix of a signature for a wallet that is not deployed yet (ERC-6492). */
export const counterfactualMark = '6492'.repeat(16)

export interface MessageFields {
  readonly nowMs: number
  readonly nonce: string
  readonly domain?: string
  readonly address?: string
  /** Null for none. */
  readonly statement?: string | null
  readonly uri?: string
  readonly version?: string
  readonly chainId?: number
  readonly issuedMs?: number
  /** Null for none. */
  readonly expiresMs?: number | null
}

/** A sign-in message. Every field can be overridden. */
export function messageOf({
  nowMs,
  nonce,
  domain = 'app.example',
  address = visitor.address,
  statement = 'Sign in to Quorate.',
  uri = 'https://app.example',
  version = '1',
  chainId = 137,
  issuedMs = nowMs,
  expiresMs = nowMs + 5 * 60_000,
}: MessageFields): string {
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(statement === null ? [] : [statement]),
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedMs).toISOString()}`,
    ...(expiresMs === null ? [] : [`Expiration Time: ${new Date(expiresMs).toISOString()}`]),
  ].join('\n')
}
