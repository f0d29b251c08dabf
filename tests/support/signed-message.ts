import type { Hex } from 'viem'
import { messageOf, visitor } from '../lib/sign-in/support.ts'
import type { Host } from './host.ts'
import { pairOf } from './hosts.ts'

interface SigningOptions extends Partial<Parameters<typeof messageOf>[0]> {
  readonly headers?: Readonly<Record<string, string>>
  readonly sign?: (message: string) => Promise<Hex>
}

/** What a browser sends to sign in: the cookie with the nonce that the host has given it, and the message with its signature. */
export async function signedMessage(
  host: Host,
  { headers, sign = (message) => visitor.signMessage({ message }), ...fields }: SigningOptions = {},
) {
  const given = await host.post('/api/auth/nonce', undefined, headers)
  const { nonce } = await given.json()
  const message = messageOf({ nowMs: Date.now(), nonce, ...fields })
  return { cookie: pairOf(given), body: { message, signature: await sign(message) } }
}
