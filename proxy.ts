import type { NextRequest } from 'next/server'
import { answerPage } from '#lib/host/answer-page.ts'

/** Yours, as Next's documentation has it: answer, redirect, or let `answerPage` go on. */
export function proxy(request: NextRequest): Response {
  return answerPage(request)
}

// Exactly the gateway and static files are left out: a prefix such as `api/rpc` would also leave out `/api/rpcx`, whose 404
// is a page and would take its nonce from the caller.
export const config = { matcher: ['/((?!api/rpc$|api/rpc/|_next/static/).*)'] }
