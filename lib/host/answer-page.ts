import { type NextRequest, NextResponse } from 'next/server'
import { buildId, env, isDev } from '../config/env.ts'
import { renewedCookie } from '../operator/operator-session.ts'
import { buildHeader } from '../public-names.ts'
import { pageHeaders } from '../response-headers.ts'
import { pagePathHeader } from '../sign-in/next-path.ts'
import { readVisitor } from '../wallet/read-visitor.ts'
import { renewedVisitor, visitorCookie } from '../wallet/visitor.ts'

/** Headers by which Next or a page would take a nonce, or its own address, from whoever sends them. */
const trusted = ['content-security-policy', 'content-security-policy-report-only', 'x-nonce', pagePathHeader]

/**
 * Gives each page a nonce and the policy that goes with it, and renews the session of an operator who looks at one, and what is
 * remembered of a visitor. It authorises nothing: routes do that themselves. With `to` the page at another path is shown.
 */
export function answerPage(request: NextRequest, { to }: { readonly to?: URL } = {}): NextResponse {
  const headers = new Headers(request.headers)
  for (const name of trusted) headers.delete(name)
  const { pathname, search, protocol } = request.nextUrl
  const proceed = (init: Parameters<typeof NextResponse.next>[0]) =>
    to === undefined ? NextResponse.next(init) : NextResponse.rewrite(to, init)
  if (!isPage(pathname)) return proceed({ request: { headers } })

  const { APP_ORIGIN, DEMO, OPERATOR_TOKEN, GATEWAY_URL, WALLETCONNECT_PROJECT_ID } = env()
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64')
  const secure = (APP_ORIGIN ?? `${request.headers.get('x-forwarded-proto') ?? protocol}:`).startsWith(
    'https:',
  )
  const sent = pageHeaders({
    path: pathname,
    nonce,
    secure,
    dev: isDev(),
    demo: DEMO,
    walletConnect: WALLETCONNECT_PROJECT_ID !== undefined,
    gateway: GATEWAY_URL ?? null,
  })
  headers.set('x-nonce', nonce)
  headers.set(pagePathHeader, pathname + search)
  headers.set('content-security-policy', sent['content-security-policy'] ?? '')
  const cookies = request.headers.get('cookie') ?? ''
  const renewed =
    OPERATOR_TOKEN === undefined ? null : renewedCookie(cookies, OPERATOR_TOKEN, secure, Date.now())
  const response = proceed({ request: { headers }, headers: { ...sent, [buildHeader]: buildId } })
  if (renewed !== null) response.headers.append('set-cookie', renewed)
  // Not for the parts of pages that scripts fetch: one on its way would bring back what Disconnect has ended.
  const isDocument = request.headers.get('accept')?.includes('text/html')
  const visitor = isDocument ? readVisitor(request.cookies.get(visitorCookie)?.value) : null
  if (visitor !== null) response.headers.append('set-cookie', renewedVisitor(visitor, secure))
  return response
}

/** Everything but Next's own files, routes of ours that answer data, and names with an ending. */
function isPage(path: string): boolean {
  return !/^\/(?:_next|api|\.well-known)(?:\/|$)|\.[a-z0-9]+$/i.test(path)
}
