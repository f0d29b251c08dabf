import { parseArgs } from 'node:util'
import { header, parseConfig } from '#rpc-proxy'

/** `npm run key -- create web --per-month 5m` prints a new key once, and the line of the configuration that knows its hash. */
const usage = 'npm run key -- create NAME [--per-second 50] [--burst 100] [--per-month 5m]'
const keyBytes = 32
const factors: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

/** `5m` is five million. */
function unitsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, digits = '', factor = ''] =
    /^(\d+(?:\.\d+)?)([kmb]?)$/i.exec(text) ?? fail(`not a number of units: ${text}`)
  return Math.round(Number(digits) * (factors[factor.toLowerCase()] ?? 1))
}

function argumentsOf() {
  const option = { type: 'string' } as const
  try {
    const options = { 'per-second': option, burst: option, 'per-month': option }
    return parseArgs({ options, allowPositionals: true })
  } catch {
    return fail(usage)
  }
}

const { values, positionals } = argumentsOf()
const [verb, name, ...rest] = positionals
if (verb !== 'create' || name === undefined || rest.length > 0) fail(usage)
const key = Buffer.from(crypto.getRandomValues(new Uint8Array(keyBytes))).toString('base64url')
const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
const caller = {
  name,
  keyHash: Buffer.from(digest).toString('hex'),
  perSecond: unitsOf(values['per-second']),
  burst: unitsOf(values.burst),
  perMonth: unitsOf(values['per-month']),
}
try {
  const node = { name: 'any', url: 'https://any.example' }
  parseConfig({ chains: [{ id: 1, nodes: [node] }], callers: [caller] }, {})
} catch (cause) {
  fail((cause as Error).message)
}
console.log(`key, shown once: ${key}

"callers": [
  ${JSON.stringify(caller)}
]

After SIGHUP: Authorization: Bearer, ${header.key}, or /api/rpc/{chainId}/key/${key}`)
