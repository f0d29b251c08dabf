import { env } from '#lib/config/env.ts'
import { securityText } from '#lib/routes/security-text.ts'

export const dynamic = 'force-dynamic'

/** RFC 9116; 404 unless SECURITY_CONTACT is set. */
export function GET(): Response {
  const { SECURITY_CONTACT, APP_ORIGIN } = env()
  if (SECURITY_CONTACT === undefined) return new Response(null, { status: 404 })
  return new Response(
    securityText({ contact: SECURITY_CONTACT, site: APP_ORIGIN ?? null, nowMs: Date.now() }),
    {
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    },
  )
}
