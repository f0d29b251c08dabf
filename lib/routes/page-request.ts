import { type HostResponse, refuse } from '../http.ts'

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
  if (path.startsWith('/api/') || method === 'GET' || method === 'HEAD') return null
  return refuse(405, 'method not allowed', { allow: 'GET, HEAD' })
}

/** Static files of the build, which need no rendering. */
export function isBuiltFile(path: string): boolean {
  return path.startsWith('/_next/static/')
}
