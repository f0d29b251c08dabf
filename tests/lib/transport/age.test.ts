import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUndiciSend } from '#lib/transport/send-undici.ts'

let connections = 0
let open = 0
const server = createServer((_request, response) => response.end('{}')).on('connection', (socket) => {
  connections += 1
  open += 1
  socket.once('close', () => {
    open -= 1
  })
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void server.close())

test('under traffic a name is looked up again as connections grow old, and no request is lost', async () => {
  let lookups = 0
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    lookups += 1
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  }
  const { send, close } = createUndiciSend({ lookup, ageMsMax: 50 })
  const url = `http://node.example:${(server.address() as AddressInfo).port}/`
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
