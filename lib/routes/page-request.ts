import { type HostResponse, percentDecoded, refuse } from '../http.ts'
import { isRecord, parseJson } from '../parse-json.ts'

/**
 * The refusal of a request to a page, or null. Pages are read-only, but Next renders them for every method, and treats
 * `Next-Action` as a call of a Server Function. There are none, and Next would log the request's content.
 */
export function pageError(
  method: string,
  path: string,
  header: (name: string) => string | null,
): HostResponse | null {
  if (header('next-action') !== null) return refuse(400, 'there are no server actions here')
  if (percentDecoded(path) === null) return refuse(400, 'the path is no UTF-8')
  if (!isRouterState(header('next-router-state-tree'))) return refuse(400, 'no router state')
  // Next makes a web `Request` of it, which cannot have the method TRACE.
  const mayHandle = path.startsWith('/api/') && method !== 'TRACE'
  if (mayHandle || method === 'GET' || method === 'HEAD') return null
  return refuse(405, 'method not allowed', { allow: 'GET, HEAD' })
}

/** Whether Next can read what its router says of the page that it shows: with another text every page would fail, and be logged. */
function isRouterState(text: string | null): boolean {
  return text === null || isTree(parseJson(percentDecoded(text) ?? ''))
}

/** A segment, and the trees of its parallel routes. */
function isTree(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  const [segment, routes] = value
  return (
    (typeof segment === 'string' || Array.isArray(segment)) &&
    isRecord(routes) &&
    Object.values(routes).every(isTree)
  )
}

/** Static files of the build, which need no rendering. */
export function isBuiltFile(path: string): boolean {
  return path.startsWith('/_next/static/')
}
