import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { closedHeaders, strictTransport } from '../../response-headers.ts'
import { encodingFor } from './compress.ts'
import type { Listener } from './next-pages.ts'

/** Of a build's static files, what a page loads. */
const types: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

/** How the build names a compressed copy: next.config.mjs. */
const endings = { br: '.br', gzip: '.gz' } as const

const staticPath = '/_next/static/'

/** The files of a build, with their compressed copies, by path. */
export async function builtFilesIn(staticDir: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(staticDir, { withFileTypes: true, recursive: true })
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const file = join(parentPath, name)
        return [staticPath + file.slice(staticDir.length + 1), file] as const
      }),
  )
}

/**
 * Serves built files as the build compressed them: Next would compress each anew for every visitor, with gzip alone. Each is read
 * once, so that slow readers share its bytes and an aborted download leaves nothing open. What is not there is Next's to answer.
 */
export function withBuiltFiles(next: Listener, files: ReadonlyMap<string, string>): Listener {
  const read = new Map<string, Promise<Buffer | null>>()
  function bytesOf(file: string): Promise<Buffer | null> {
    const known = read.get(file)
    if (known !== undefined) return known
    const bytes = readFile(file).catch(() => null)
    read.set(file, bytes)
    return bytes
  }
  return async (request, response) => {
    const { method, url = '', headers } = request
    const [path = ''] = url.split('?', 1)
    const type = types[extname(path)]
    const plain = files.get(path)
    if (type === undefined || plain === undefined || (method !== 'GET' && method !== 'HEAD'))
      return next(request, response)
    const encoding = encodingFor(headers['accept-encoding'] ?? null)
    const packed = encoding === null ? undefined : files.get(path + endings[encoding])
    const bytes = await bytesOf(packed ?? plain)
    if (bytes === null) return next(request, response)
    response.writeHead(200, {
      ...closedHeaders,
      ...(headers['x-forwarded-proto'] === 'https' && strictTransport),
      'content-type': type,
      'content-length': bytes.length,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(encoding !== null && packed !== undefined && { 'content-encoding': encoding }),
    })
    response.end(bytes)
  }
}
