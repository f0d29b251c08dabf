import { runningConfig } from '#lib/engine.ts'
import { env } from '#lib/env.ts'
import { fromWeb, toWeb } from '#lib/host-web.ts'
import { answerLogin } from '#lib/login.ts'

export const dynamic = 'force-dynamic'

async function answer(request: Request): Promise<Response> {
  const trustedHops = runningConfig().rate?.trustedHops ?? 0
  return toWeb(await answerLogin(fromWeb(request, { site: env().APP_ORIGIN ?? null, trustedHops })))
}

export const POST = answer
export const DELETE = answer
