import { base } from '../public-names.ts'

/** A path with the key of a caller; `key` is all that follows. */
const keyPath = new RegExp(`^(${base}/[^/?]+)/key(?:/([^?]*?)/?)?(?=$|\\?)`)

/** The target without a key in its path, and that key: null where the path has none. */
export function splitKey(target: string): { readonly target: string; readonly key: string | null } {
  const [whole, path, key = ''] = keyPath.exec(target) ?? []
  if (whole === undefined) return { target, key: null }
  return { target: `${path}${target.slice(whole.length)}`, key }
}
