import { createPublicClient, SocketClosedError, webSocket } from 'viem'
import { closed, heard, socketUrl, token } from '../support/listening.mjs'

// After an attempt that fails viem tries again when it would ping next.
const keepAlive = { interval: 1_000 }
const reconnect = { attempts: 10_000, delay: 100 }
const client = createPublicClient({ transport: webSocket(socketUrl, { reconnect, keepAlive }) })
// Attempts to connect again fail with other errors.
const onError = (error) => error instanceof SocketClosedError && closed(error.name)
// viem's watchBlocks reads each block again, and reports it when that read ends.
await client.transport.subscribe({
  params: ['newHeads'],
  onData: ({ result }) => heard('heads', result),
  onError,
})
client.watchEvent({
  address: token,
  onLogs(logs) {
    for (const { blockNumber, blockHash, removed } of logs)
      heard('logs', { number: blockNumber, hash: blockHash, removed })
  },
  onError,
})
