import { runningConfig } from '#lib/engine.ts'
import { env, isNodeHost } from '#lib/env.ts'
import { refuse } from '#lib/exchange.ts'
import { fromWeb, toWeb } from '#lib/host-web.ts'
import { answerLogin } from '#lib/login.ts'

export const dynamic = 'force-dynamic'

async function answer(request: Request): Promise<Response> {
  // server.ts answers this path before Next, and knows the caller's socket: what gets here then came past its door.
  if (isNodeHost()) return toWeb(refuse(404, 'not found'))
  const trustedHops = runningConfig().rate?.trustedHops ?? 0
  return toWeb(await answerLogin(fromWeb(request, { site: env().APP_ORIGIN ?? null, trustedHops })))
}

export const POST = answer
export const DELETE = answer
