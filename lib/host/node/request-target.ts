/** A request's target in normal form: dots and backslashes resolved, the origin of an absolute one removed. */
export function resolveTarget(target: string): string {
  if (plain.test(target)) return target
  // With an origin in front, so that `//host` is parsed as a path.
  const text = target.startsWith('/') ? `http://x${target}` : target
  if (!URL.canParse(text)) return target
  const { pathname, search } = new URL(text)
  return `${pathname}${search}`
}

/** Nearly every target. These need no parser. */
const plain = /^(?:\/[\w-]+)+\/?(?:\?|$)/

export function isUnder(target: string, path: string): boolean {
  if (!target.startsWith(path)) return false
  const next = target[path.length]
  return next === undefined || next === '/' || next === '?'
}
