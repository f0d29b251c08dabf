import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { closeServer } from '../../../demo/ports.ts'
import { listen as listenToBlocks } from '../../../scripts/load/sockets.ts'
import { listen } from '../../support/listen.ts'

const number = (count: number) => `0x${count.toString(16)}`

/**
 * A gateway of two sockets with ten subscriptions each, whose head is 101 at the first question after all have begun. `deliver` sends that
 * block's messages.
 */
async function gatewayOf(deliver: (send: () => void, sockets: Set<WebSocket>) => void) {
  let [begun, asked] = [0, 0]
  const sockets = new Set<WebSocket>()
  const send = () => {
    for (const socket of sockets)
      for (let count = 0; count < 10; count += 1)
        socket.send(`{"method":"eth_subscription","params":{"result":{"number":"${number(101)}"}}}`)
  }
  const server = createServer((_, response) => {
    if (begun === 20) asked += 1
    // The first of these is what the run begins with.
    if (asked === 2) deliver(send, sockets)
    response.end(`{"jsonrpc":"2.0","id":1,"result":"${number(asked > 1 ? 101 : 100)}"}`)
  })
  new WebSocketServer({ server }).on('connection', (socket) => {
    sockets.add(socket)
    socket.on('message', () => {
      begun += 1
      socket.send(`{"jsonrpc":"2.0","id":1,"result":"${number(begun)}"}`)
    })
  })
  const port = await listen(server)
  onTestFinished(() => void closeServer(server))
  return listenToBlocks({ url: `http://127.0.0.1:${port}/`, sockets: 2, seconds: 1, lastMsMax: 2000 })
}

test('messages that come late after their block is agreed are as late in the figures', async () => {
  const { sent, latenciesMs, errors } = await gatewayOf((send) => void setTimeout(send, 300))
  expect(sent).toBe(20)
  expect(latenciesMs).toHaveLength(20)
  expect(latenciesMs[0]).toBeGreaterThanOrEqual(299)
  expect(errors).toEqual({})
})

test('messages that never come, and a socket that is closed, are errors', async () => {
  const { sent, latenciesMs, errors } = await gatewayOf((send, sockets) => {
    const [closed] = sockets
    closed?.close(1013)
    sockets.delete(closed as WebSocket)
    send()
  })
  expect(sent).toBe(20)
  expect(latenciesMs).toHaveLength(10)
  expect(errors).toEqual({ 'closed 1013': 1, missing: 10 })
})
