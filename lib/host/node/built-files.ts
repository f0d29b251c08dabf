import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { constants } from 'node:zlib'
import { closedHeaders, strictTransport } from '../../response-headers.ts'
import { type Encoding, encodingFor, gzipped } from './compress.ts'
import type { Listener } from './next-pages.ts'

/** Of a build's static files, what a page loads. */
const types: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

/** How the build names the compressed copy of a file: next.config.mjs. */
const packedEnding = '.br'

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
 * Serves the files of a build, from the brotli copies that the build has made. Next would compress a file again for each request, and
 * only with gzip. For clients without brotli a file is gzipped once. Every file is read into memory once: slow readers share these bytes,
 * and an aborted download leaves no file open. Next answers all other requests.
 */
export function withBuiltFiles(next: Listener, files: ReadonlyMap<string, string>): Listener {
  const read = new Map<string, Promise<Buffer | null>>()
  async function readEncoded(file: string, encoding: Encoding | null): Promise<Buffer | null> {
    try {
      const bytes = await readFile(encoding === 'br' ? file + packedEnding : file)
      return encoding === 'gzip' ? await gzipped(bytes, { level: constants.Z_BEST_COMPRESSION }) : bytes
    } catch {
      return null
    }
  }
  return async (request, response) => {
    const { method, url = '', headers } = request
    const [path = ''] = url.split('?', 1)
    const type = types[extname(path)]
    const file = files.get(path)
    if (type === undefined || file === undefined || (method !== 'GET' && method !== 'HEAD'))
      return next(request, response)
    const isPacked = files.get(path + packedEnding) === file + packedEnding
    const encoding = isPacked ? encodingFor(headers['accept-encoding']) : null
    const key = `${path} ${encoding}`
    const reading = read.get(key) ?? readEncoded(file, encoding)
    read.set(key, reading)
    const bytes = await reading
    if (bytes === null) {
      // Not for ever: the process may have had no descriptor left.
      read.delete(key)
      return next(request, response)
    }
    response.writeHead(200, {
      ...closedHeaders,
      ...(headers['x-forwarded-proto'] === 'https' && strictTransport),
      'content-type': type,
      'content-length': bytes.length,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(encoding !== null && { 'content-encoding': encoding }),
    })
    response.end(bytes)
  }
}
