import type { IncomingMessage } from 'node:http'
import { header } from '#rpc-proxy'
import { refuse } from '../http.ts'
import { splitKey } from './key-path.ts'

export const badTarget = refuse(400, 'bad request', { connection: 'close' })

/**
 * A request's target in normal form: dots and backslashes resolved, the origin of an absolute one removed. Null where it is no path,
 * or where two hosts are named.
 */
export function targetOf(request: IncomingMessage): string | null {
  const target = resolveTarget(request.url ?? '/')
  return target.startsWith('/') && !hasTwoHosts(request) ? target : null
}

/** Moves a key from the path to its header, so that nothing that runs later sees it in an address. Returns the target without it. */
export function moveKey(request: IncomingMessage, target: string): string {
  const split = splitKey(target)
  if (split.key !== null) {
    request.headers[header.key] = split.key
    request.url = split.target
  }
  return split.target
}

/** RFC 9112 §3.2 refuses a second `Host`: Node takes the first, and a proxy may have used the other. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

function resolveTarget(target: string): string {
  if (plain.test(target)) return target
  // With an origin in front, so that `//host` is parsed as a path.
  const text = target.startsWith('/') ? `http://x${target}` : target
  if (!URL.canParse(text)) return target
  const { pathname, search } = new URL(text)
  return `${pathname}${search}`
}

/** Nearly every target. These need no parser. */
const plain = /^(?:\/[\w-]+)+\/?(?:\?|$)/
