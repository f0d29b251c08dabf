import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { env } from '#lib/env.ts'

export const dynamic = 'force-dynamic'

/** The demo's wallet, under DEMO alone, straight from the demo folder: the build knows nothing of it. */
export async function GET(): Promise<Response> {
  if (!env().DEMO) return new Response(null, { status: 404 })
  const bundle = pathToFileURL(resolve('demo/wallet/bundle.ts')).href
  const { walletScript } = await import(/* turbopackIgnore: true */ bundle)
  return new Response(await walletScript(), {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  })
}
