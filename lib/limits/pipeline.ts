import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Requests of one connection without an answer. Clients and proxies wait for each answer. Node reads all that have arrived, 1,500 short ones
 * in 64 KiB, and keeps some kilobytes for each until those before it are answered.
 */
const pipelinedMax = 32
const open = new WeakMap<Socket, number>()

/** Counts a request of its connection until it is answered; false where that is closed, because it has too many. */
export function enterPipeline({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const count = (open.get(socket) ?? 0) + 1
  if (count > pipelinedMax) {
    socket.destroy()
    return false
  }
  open.set(socket, count)
  response.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1))
  return true
}
