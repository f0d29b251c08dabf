import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

let made: Promise<string> | undefined

/** The demo wallet as one classic script, bundled on first request and cached. */
export function walletScript(): Promise<string> {
  made ??= make()
  return made
}

async function make(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./main.ts', import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  return output[0].code
}
