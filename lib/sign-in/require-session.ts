import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { Address } from 'viem'
import { z } from 'zod'
import { env } from '../config/env.ts'
import { fetchGateway } from '../engine/gateway-address.ts'
import { writePageLine } from '../observe/log-plain.ts'
import { createThrottledLog } from '../observe/throttle.ts'
import { authPath, prefix } from '../public-names.ts'
import { pagePathHeader, signInPathFrom } from './next-path.ts'
import { isJustSealed } from './sealed-cookies.ts'

/** A signed-in visitor. Times are epoch milliseconds. */
export interface SignedIn {
  /** EIP-55. */
  readonly address: Address
  readonly chainId: number
  /** A contract wallet: on another chain the same address may belong to somebody else. */
  readonly isContract: boolean
  readonly signedInMs: number
  readonly endMs: number
}

/**
 * The session of the current request's visitor. A visitor without one is redirected to the sign-in page,
 * which leads back to this page.
 *
 * For server components and route handlers. Nothing else authorises a request: `proxy.ts` does not.
 *
 * @example
 * export default async function Page() {
 *   const { address } = await requireSession()
 *   return <Orders of={address} />
 * }
 */
export async function requireSession(): Promise<SignedIn> {
  const session = await currentSession()
  if (session === null || session === 'unavailable')
    redirect(signInPathFrom((await headers()).get(pagePathHeader)))
  return session
}

/** The visitor's session; null without one, `unavailable` while the session store cannot be reached. */
export async function currentSession(): Promise<SignedIn | 'unavailable' | null> {
  const state = await sessionState()
  return state === 'lost' ? null : state
}

/**
 * The same, and `lost` if the visitor has just signed in and this process does not know the session: another sign-in would end the
 * same way. A lost session is logged. The layout and the page of one request share one lookup.
 */
export const sessionState = cache(async (): Promise<SignedIn | 'unavailable' | 'lost' | null> => {
  const given = await headers()
  const cookies = given.get('cookie') ?? ''
  const proto = given.get('x-forwarded-proto')
  const secure = (env().APP_ORIGIN ?? `${proto ?? 'http'}:`).startsWith('https:')
  const session = await fetchSession(cookies, proto)
  if (session !== null || !isJustSealed('session', cookies, secure, Date.now())) return session
  tell(
    'session-lost',
    'a visitor who has just signed in is not known here: is each session kept by one of several isolates?',
  )
  return 'lost'
})

const write = createThrottledLog({ write: writePageLine }, { everyMs: 60_000, now: () => performance.now() })

function tell(event: 'session-lost' | 'session-unavailable', message: string): void {
  write(event, { level: 'error', event, message, fields: {} })
}

/** Spares the store a request for visitors who have never signed in. */
const hasSessionCookie = (cookies: string) => cookies.includes(`${prefix}-session=`)

const answer = z.union([
  z.object({ address: z.null() }),
  z.object({
    address: z.templateLiteral(['0x', z.hex().length(40)]),
    chainId: z.number(),
    isContract: z.boolean(),
    signedInAt: z.string(),
    expiresAt: z.string(),
  }),
])

/** After this time the page is rendered as for `unavailable`. */
const sessionMsMax = 3_000

/** The sessions live with the routes: in this process, or on the edge host in their isolate. */
async function fetchSession(cookie: string, proto: string | null): Promise<SignedIn | 'unavailable' | null> {
  if (!hasSessionCookie(cookie)) return null
  try {
    const init = {
      headers: { cookie, ...(proto !== null && { 'x-forwarded-proto': proto }) },
      signal: AbortSignal.timeout(sessionMsMax),
    }
    const response = await fetchGateway(`${authPath}/session`, init, 'own')
    // The log has it: the store is away.
    if (response.status === 503) return 'unavailable'
    const body = answer.parse(await response.json())
    if (body.address === null) return null
    const { address, chainId, isContract, signedInAt, expiresAt } = body
    return { address, chainId, isContract, signedInMs: Date.parse(signedInAt), endMs: Date.parse(expiresAt) }
  } catch {
    tell('session-unavailable', 'this app does not say to its own pages who has signed in')
    return 'unavailable'
  }
}
