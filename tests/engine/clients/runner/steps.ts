import { z } from 'zod'

const error = z.object({ type: z.string().nullish(), code: z.unknown(), message: z.string() })
const line = z.union([
  z.object({ step: z.string(), ok: z.literal(true), value: z.unknown() }),
  z.object({ step: z.string(), ok: z.literal(false), error }),
])

/** The result of one step of a driver. */
export type Step = z.output<typeof line>

/** Parses the output of a driver, with its RPC url replaced by `URL`. Throws on invalid lines and duplicate steps. */
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

/** Removes random ports and certificate ids, which clients include in error messages. */
export function withoutIds(text: string, url: string): string {
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
  /** Path of the difference, e.g. `value.gasUsed` or `error.code`; empty if one side has no result. */
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
 * Fields of blocks, receipts and logs that only some node clients write. The gateway returns them if the voters agree on them, and
 * the voters differ between runs.
 */
const varying = /^(block_?timestamp|blob_?gas_?price|total_?difficulty)$/i

/** Paths of the leaves in which two values differ. */
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
