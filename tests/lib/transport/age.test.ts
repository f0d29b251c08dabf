import type { LookupFunction, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { UndiciNetwork } from '#lib/transport/send-undici.ts'
import { serveForOneTest } from '../../support/serve.ts'
import { post } from './support.ts'

test('under traffic a name is looked up again as connections grow old, and no request is lost', async () => {
  const connections = new Set<Socket>()
  const origin = await serveForOneTest(({ socket }, response) => {
    connections.add(socket)
    response.end('{}')
  })
  let lookups = 0
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    lookups += 1
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  }
  const { send, close } = new UndiciNetwork({ lookup, ageMsMax: 50 })
  let isOver = false
  const replies: string[] = []
  const traffic = Array.from({ length: 4 }, async () => {
    while (!isOver) replies.push(await post(send, origin.replace('127.0.0.1', 'node.example')))
  })
  // More requests than connections: they are still shared.
  await expect.poll(() => lookups > 12 && replies.length > connections.size).toBe(true)
  isOver = true
  await Promise.all(traffic)
  expect(new Set(replies)).toEqual(new Set(['{}']))
  await expect
    .poll(() => [...connections].filter(({ destroyed }) => !destroyed).length)
    .toBeLessThanOrEqual(8)
  await close()
})
