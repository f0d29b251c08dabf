import { createServer } from 'node:http'
import type { LookupFunction } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { UndiciNetwork } from '#lib/transport/send-undici.ts'
import { listen } from '../../support/listen.ts'

test('under traffic a name is looked up again as connections grow old, and no request is lost', async () => {
  let [connections, open, lookups] = [0, 0, 0]
  const server = createServer((_request, response) => response.end('{}')).on('connection', (socket) => {
    connections += 1
    open += 1
    socket.once('close', () => {
      open -= 1
    })
  })
  onTestFinished(() => void server.close())
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    lookups += 1
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  }
  const { send, close } = new UndiciNetwork({ lookup, ageMsMax: 50 })
  const url = `http://node.example:${await listen(server)}/`
  const { signal } = new AbortController()
  let isOver = false
  const statuses: number[] = []
  const traffic = Array.from({ length: 4 }, async () => {
    while (!isOver)
      statuses.push(
        (await send({ url, headers: {}, body: '{}', bytesMax: 10, idempotent: true, signal })).status,
      )
  })
  // More requests than connections: they are still shared.
  await expect.poll(() => lookups > 12 && statuses.length > connections).toBe(true)
  isOver = true
  await Promise.all(traffic)
  expect(statuses.every((status) => status === 200)).toBe(true)
  await expect.poll(() => open).toBeLessThanOrEqual(8)
  await close()
})
