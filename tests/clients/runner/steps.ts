import { z } from 'zod'

const error = z.object({ type: z.string().nullish(), code: z.unknown(), message: z.string() })
const line = z.union([
  z.object({ step: z.string(), ok: z.literal(true), value: z.unknown() }),
  z.object({ step: z.string(), ok: z.literal(false), error }),
])

/** What one step of a driver came to. */
export type Step = z.output<typeof line>

/** Reads what a driver printed; a URL that was asked reads `URL`. Throws on a line that is no step, and on a step told twice. */
export function stepsIn(output: string, url: string): ReadonlyMap<string, Step> {
  const steps = new Map<string, Step>()
  for (const text of withoutIds(output, url).split('\n')) {
    if (text.trim() === '') continue
    const step = line.parse(JSON.parse(text))
    if (steps.has(step.step)) throw new Error(`the step ${step.step} came twice`)
    steps.set(step.step, step)
  }
  return steps
}

/** Ports are the system's choice and certificates have ids of their own; clients put both into what they throw. */
function withoutIds(text: string, url: string): string {
  const { host, hostname, port } = new URL(url)
  return text
    .replaceAll(url, 'URL')
    .replaceAll(`http://${host}/`, 'URL')
    .replaceAll(host, 'HOST')
    .replaceAll(`${hostname} port ${port}`, 'HOST')
    .replaceAll(/(answer\W{1,8})[0-9a-z]{6,10}-\d+/g, '$1ID')
}

export interface Difference {
  readonly step: string
  /** Where the two differ: `value.gasUsed`, `error.code`; empty where one side printed nothing. */
  readonly path: string
  readonly chain: unknown
  readonly gateway: unknown
}

/** Compares two runs of one driver, step by step. */
export function compare(
  chain: ReadonlyMap<string, Step>,
  gateway: ReadonlyMap<string, Step>,
): { readonly same: readonly string[]; readonly differences: readonly Difference[] } {
  const names = [...new Set([...chain.keys(), ...gateway.keys()])]
  const differing = names.map((step) => differencesOf(chain.get(step), gateway.get(step), { step, path: '' }))
  return {
    same: names.filter((_, index) => differing[index]?.length === 0),
    differences: differing.flat(),
  }
}

/**
 * Fields of blocks, receipts and logs that some makes write and others do not. The gateway returns them where those who voted have
 * them alike, and who votes is not the same in every run.
 */
const varying = /^(block_?timestamp|blob_?gas_?price|total_?difficulty)$/i

/** The leaves in which two values differ. */
function differencesOf(
  chain: unknown,
  gateway: unknown,
  { step, path }: { step: string; path: string },
): readonly Difference[] {
  if (!isTree(chain) || !isTree(gateway) || Array.isArray(chain) !== Array.isArray(gateway))
    return Object.is(chain, gateway) ? [] : [{ step, path, chain, gateway }]
  const keys = [...new Set([...Object.keys(chain), ...Object.keys(gateway)])].filter(
    (key) => !varying.test(key),
  )
  return keys.flatMap((key) =>
    differencesOf(chain[key], gateway[key], { step, path: path === '' ? key : `${path}.${key}` }),
  )
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
