import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

/** Serves HTTP on loopback until the end of the test; returns the origin. */
export async function serveForOneTest(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${await listen(server)}`
}
