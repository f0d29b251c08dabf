import type { IncomingMessage } from 'node:http'
import { isTooFine } from './gathered-bytes.ts'

/** Cuts a request whose body is longer, or comes in parts of a few bytes: Next keeps each part as it arrives, before a route may refuse it. */
export function boundPassedBody(request: IncomingMessage, bytesMax: number): void {
  const { push } = request
  let parts = 0
  let bytes = 0
  request.push = (part: Buffer | null, encoding) => {
    parts += 1
    bytes += part?.length ?? 0
    if (bytes <= bytesMax && !isTooFine(parts, bytes)) return push.call(request, part, encoding)
    request.destroy()
    return false
  }
}
