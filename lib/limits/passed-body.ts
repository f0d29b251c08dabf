import type { IncomingMessage } from 'node:http'
import { BodyLimit } from './body-limit.ts'

/** Cuts a request whose body is longer, or comes in parts of a few bytes: Next keeps each part as it arrives, before a route may refuse it. */
export function boundPassedBody(request: IncomingMessage, bytesMax: number): void {
  const { push } = request
  const limit = new BodyLimit(bytesMax)
  request.push = (part: Buffer | null, encoding) => {
    if (part === null || limit.takes(part)) return push.call(request, part, encoding)
    request.destroy()
    return false
  }
}
