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

const usual = {
  domain: 'app.example',
  address: visitor.address as string,
  /** Null for none. */
  statement: 'Sign in to Quorate.' as string | null,
  uri: 'https://app.example',
  version: '1',
  chainId: 137,
}

export interface MessageFields extends Partial<typeof usual> {
  readonly nowMs: number
  readonly nonce: string
  readonly issuedMs?: number
  /** Null for none. */
  readonly expiresMs?: number | null
}

/** A sign-in message. Every field can be overridden. */
export function messageOf(fields: MessageFields): string {
  const { nowMs, nonce, issuedMs = nowMs, expiresMs = nowMs + 5 * 60_000 } = fields
  const { domain, address, statement, uri, version, chainId } = { ...usual, ...fields }
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
