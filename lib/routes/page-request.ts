import { percentDecoded, refuse, type TextResponse } from '../http.ts'
import { isRecord, parseJson } from '../parse-json.ts'

/**
 * The refusal of a request to a page, or null. Pages are read-only, but Next renders them for every method, and treats
 * `Next-Action` as a call of a Server Function. There are none, and Next would log the request's content.
 */
export function pageError(
  method: string,
  path: string,
  header: (name: string) => string | null,
): TextResponse | null {
  if (header('next-action') !== null) return refuse(400, 'there are no server actions here')
  const unreadable = unreadableError(method, path, header)
  if (unreadable !== null) return unreadable
  // Next makes a web `Request` of it, which cannot have the method TRACE.
  const mayHandle = path.startsWith('/api/') && method !== 'TRACE'
  if (mayHandle || method === 'GET' || method === 'HEAD') return null
  return refuse(405, 'method not allowed', { allow: 'GET, HEAD' })
}

/** The refusal of what Next itself cannot read, or null: it would answer with 500, and log each. And of a body, which it would keep. */
export function unreadableError(
  method: string,
  path: string,
  header: (name: string) => string | null,
): TextResponse | null {
  const isRead = method === 'GET' || method === 'HEAD' || !path.startsWith('/api/')
  const hasBody = header('transfer-encoding') !== null || Number(header('content-length') ?? 0) > 0
  if (isRead && hasBody) return refuse(400, 'no body is read here', { connection: 'close' })
  if (percentDecoded(path) === null) return refuse(400, 'the path is no UTF-8')
  if (!isRouterState(header('next-router-state-tree'))) return refuse(400, 'no router state')
  // Next's router asks for none, because no page here is made for it; to render one logs a stack.
  if (/^[23]$/.test(header('next-router-prefetch') ?? '')) return refuse(400, 'no prefetch at run time here')
  return null
}

/** Next reads 40,000 characters. Its pages here are nested a few times. */
const routerStateCharsMax = 40_000
const routerStateDepthMax = 32

/** Whether Next can read what its router says of the page that it shows: what its `flightRouterStateSchema` takes. */
function isRouterState(text: string | null): boolean {
  if (text === null) return true
  return text.length <= routerStateCharsMax && isTree(parseJson(percentDecoded(text) ?? ''), 0)
}

/** A segment, the trees of its parallel routes, and what the router notes of it. */
function isTree(value: unknown, depth: number): boolean {
  if (!Array.isArray(value) || value.length > 6 || depth > routerStateDepthMax) return false
  const [segment, routes, url, refresh, hints, more] = value
  return (
    isSegment(segment) &&
    isRecord(routes) &&
    Object.values(routes).every((route) => isTree(route, depth + 1)) &&
    (url == null || (isTexts(url) && url.length === 2)) &&
    (refresh == null || refreshMarks.includes(refresh)) &&
    (hints == null || typeof hints === 'number') &&
    (more === undefined || typeof more === 'string')
  )
}

const refreshMarks: readonly unknown[] = ['refetch', 'inside-shared-layout', 'metadata-only']

/** A name, or the name, value and type of a parameter, and the names beside it. */
function isSegment(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value === 'string'
  const [name, key, type, siblings] = value
  return (
    value.length === 4 &&
    isTexts([name, key, type]) &&
    /^(?:c|d|oc|[cd]i(?:\(\.{1,3}\)|\(\.\.\)\(\.\.\)))$/.test(type) &&
    (siblings === null || isTexts(siblings))
  )
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/** Static files of the build, which need no rendering. */
export function isBuiltFile(path: string): boolean {
  return path.startsWith('/_next/static/')
}
