import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { env } from '#lib/config/env.ts'

export const dynamic = 'force-dynamic'

/** The demo wallet, only under DEMO, bundled from the demo folder at run time. It is not part of the build. */
export async function GET(): Promise<Response> {
  if (!env().DEMO) return new Response(null, { status: 404 })
  const bundle = pathToFileURL(resolve('demo/wallet/bundle.ts')).href
  const { walletScript } = await import(/* turbopackIgnore: true */ bundle)
  return new Response(await walletScript(), {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  })
}
