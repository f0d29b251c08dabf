import { percentDecoded, refuse, type TextResponse } from '../http.ts'
import { isRecord, parseJson } from '../parse-json.ts'
import type { BuiltApp } from './built-app.ts'

/**
 * The refusal of what Next would answer with 500, or log each time, or null: what it cannot read, bodies where none is read, and what the
 * build does not declare.
 */
export function pageError(
  method: string,
  path: string,
  { header, built }: { readonly header: (name: string) => string | null; readonly built: BuiltApp },
): TextResponse | null {
  // Next makes a web `Request` of it, which cannot have the method TRACE.
  if (method === 'TRACE') return notAllowed
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && hasBody(header)) return refuse(400, 'no body is read here', { connection: 'close' })
  if (percentDecoded(path) === null) return refuse(400, 'the path is no UTF-8')
  if (!isRouterState(header('next-router-state-tree'))) return refuse(400, 'no router state')
  // Next's router asks for none, because no page here is made for it; to render one logs a stack.
  if (/^[23]$/.test(header('next-router-prefetch') ?? '')) return refuse(400, 'no prefetch at run time here')
  return isRead ? null : changeError(method, path, { header, built })
}

/** A page is changed by the Server Actions of the build alone; Next checks where they come from. */
function changeError(
  method: string,
  path: string,
  { header, built }: Parameters<typeof pageError>[2],
): TextResponse | null {
  const action = header('next-action')
  const mayAct = method === 'POST' && built.actions.size > 0
  if (isBuiltFile(path) || (built.isPage(path) && !mayAct)) return action === null ? notAllowed : noAction
  if (action === null) return null
  const origin = header('origin')
  if (origin !== null && origin !== 'null' && !URL.canParse(origin)) return refuse(400, 'no origin')
  return built.actions.has(action) ? null : noAction
}

const notAllowed = refuse(405, 'method not allowed', { allow: 'GET, HEAD' })
/** By this header Next's router knows that the page is of an older build. */
const noAction = refuse(404, 'no such server action', { 'x-nextjs-action-not-found': '1' })

export function hasBody(header: (name: string) => string | null): boolean {
  return header('transfer-encoding') !== null || Number(header('content-length') ?? 0) > 0
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
