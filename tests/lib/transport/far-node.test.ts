import { once } from 'node:events'
import { connect, type LookupFunction } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { hosts, post } from './support.ts'

/** A server whose kernel queue is full until it is let go: until then its address does not answer, as a distant one's. */
const source = `
const { parentPort } = require('node:worker_threads')
const server = require('node:http').createServer((_, response) => response.end('{}'))
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  parentPort.postMessage({ port: server.address().port, gate })
  Atomics.wait(gate, 0, 0)
})`

/** The port, and what lets it accept: the next packet of a connection under way is answered. */
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
  const accept = () => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  return { port, accept }
}

/** A name with both families, whose IPv6 address cannot be reached. */
const lookup: LookupFunction = (_hostname, _options, callback) =>
  callback(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])

test.each(hosts)(
  '%s reaches a distant node that has an IPv6 address which this machine cannot reach',
  async (_, createSend) => {
    const { port, accept } = await startFarServer()
    setTimeout(accept, 400)
    expect(await post(createSend({ lookup }), `http://far.example:${port}/`)).toBe('{}')
  },
)
