import { type HostResponse, refuse } from './http.ts'

/**
 * Why a request to a page is refused before Next sees it, or null. Pages are read and nothing else: Next renders for every verb, and
 * takes `Next-Action` for a Server Function, of which there are none; what came with it would reach the log.
 */
export function pageRefusal(
  method: string,
  path: string,
  header: (name: string) => string | null,
): HostResponse | null {
  if (header('next-action') !== null) return refuse(400, 'there are no server actions here')
  if (path.startsWith('/api/') || method === 'GET' || method === 'HEAD') return null
  return refuse(405, 'method not allowed', { allow: 'GET, HEAD' })
}

/** Files of the build, which cost no rendering. */
export function isBuiltFile(path: string): boolean {
  return path.startsWith('/_next/static/')
}
