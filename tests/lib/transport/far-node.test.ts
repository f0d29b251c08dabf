import { once } from 'node:events'
import { connect, type LookupFunction } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createFetchDispatcher } from '#lib/transport/fetch-dispatcher.ts'
import { UndiciNetwork } from '#lib/transport/send-undici.ts'

/** A server whose kernel queue is full until it is let go: until then its address does not answer, as a distant one's. */
const source = `
const { parentPort } = require('node:worker_threads')
const server = require('node:http').createServer((_, response) => response.end('{}'))
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  parentPort.postMessage({ port: server.address().port, gate })
  Atomics.wait(gate, 0, 0)
})`

async function startFarServer() {
  const worker = new Worker(source, { eval: true })
  onTestFinished(() => void worker.terminate())
  const [{ port, gate }] = (await once(worker, 'message')) as [{ port: number; gate: Int32Array }]
  // The queue holds one more than the backlog says, on some systems two.
  const open = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
  })
  await Promise.all(open.slice(0, 2).map((socket) => once(socket, 'connect')))
  return {
    port,
    /** After `ms` it accepts: the next packet of a connection under way is answered. */
    acceptAfter(ms: number) {
      setTimeout(() => {
        Atomics.store(gate, 0, 1)
        Atomics.notify(gate, 0)
      }, ms)
    },
  }
}

/** A name with both families, whose IPv6 address cannot be reached. */
const dualStack: LookupFunction = (_hostname, _options, callback) =>
  callback(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])

test.each([
  [
    'the Node host',
    async (url: string) => {
      const { send, close } = new UndiciNetwork({ lookup: dualStack })
      const { signal } = new AbortController()
      const { status } = await send({
        url,
        headers: {},
        body: '{}',
        bytesMax: 1000,
        idempotent: true,
        signal,
      })
      await close()
      return status
    },
  ],
  [
    'fetch, as the edge host and pages use it',
    async (url: string) => {
      const dispatcher = createFetchDispatcher({ lookup: dualStack })
      const { origin } = new URL(url)
      const { statusCode, body } = await dispatcher.request({ origin, path: '/', method: 'POST', body: '{}' })
      await body.text()
      await dispatcher.destroy()
      return statusCode
    },
  ],
])('%s reaches a distant node that has an IPv6 address which this machine cannot reach', async (_, post) => {
  const server = await startFarServer()
  server.acceptAfter(400)
  expect(await post(`http://far.example:${server.port}/`)).toBe(200)
})
