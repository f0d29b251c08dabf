import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { ownAddress } from '../engine-reads.ts'
import { env } from '../env.ts'
import { authPath, prefix } from '../names.ts'
import { runningAuth } from './running.ts'
import { endMsOf, StoreUnavailable } from './store.ts'

/** A signed-in visitor. Times are epoch milliseconds. */
export interface SignedIn {
  /** EIP-55. */
  readonly address: string
  readonly chainId: number
  /** A contract wallet: on another chain the same address may belong to somebody else. */
  readonly isContract: boolean
  readonly signedInMs: number
  readonly endMs: number
}

export const signInPage = '/sign-in'

/**
 * The session of the current request's visitor. A visitor without one is redirected to the sign-in page.
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
  if (session === null || session === 'unavailable') redirect(signInPage)
  return session
}

/** The visitor's session; null without one, `unavailable` while the session store cannot be reached. */
export async function currentSession(): Promise<SignedIn | 'unavailable' | null> {
  const given = await headers()
  const cookies = given.get('cookie') ?? ''
  const auth = runningAuth()
  if (auth === null && !hasSessionCookie(cookies)) return null
  if (auth === null) return overHttp(cookies, given.get('x-forwarded-proto'))
  const secure = (env().APP_ORIGIN ?? `${given.get('x-forwarded-proto') ?? 'http'}:`).startsWith('https:')
  try {
    const session = await auth.sessionIn(cookies, secure)
    if (session === null) return null
    const { address, chainId, isContract, signedInMs } = session
    return { address, chainId, isContract, signedInMs, endMs: endMsOf(session) }
  } catch (cause) {
    if (cause instanceof StoreUnavailable) return 'unavailable'
    throw cause
  }
}

/** Spares the store a request for visitors who have never signed in. */
const hasSessionCookie = (cookies: string) => cookies.includes(`${prefix}-session=`)

const answer = z.union([
  z.object({ address: z.null() }),
  z.object({
    address: z.string(),
    chainId: z.number(),
    isContract: z.boolean(),
    signedInAt: z.string(),
    expiresAt: z.string(),
  }),
])

/** After this time the page is rendered as for `unavailable`. */
const sessionMsMax = 3_000

/** On the edge host the sessions live in the isolate of the route, so they are asked for over HTTP. */
async function overHttp(cookie: string, proto: string | null): Promise<SignedIn | 'unavailable' | null> {
  try {
    const response = await fetch(`${ownAddress()}${authPath}/session`, {
      headers: { cookie, ...(proto !== null && { 'x-forwarded-proto': proto }) },
      cache: 'no-store',
      redirect: 'manual',
      signal: AbortSignal.timeout(sessionMsMax),
    })
    const said = answer.parse(await response.json())
    if (said.address === null) return null
    const { address, chainId, isContract, signedInAt, expiresAt } = said
    return { address, chainId, isContract, signedInMs: Date.parse(signedInAt), endMs: Date.parse(expiresAt) }
  } catch {
    return 'unavailable'
  }
}
