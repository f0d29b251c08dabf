import { Network, WebSocketProvider } from 'ethers'
import { closed, heard, socketUrl, token } from '../support/listening.mjs'
import { chainId } from '../support/steps.mjs'

const provider = new WebSocketProvider(socketUrl, new Network('tried', chainId), { staticNetwork: true })
// It tells nobody else, and does not connect again.
provider.websocket.addEventListener('close', ({ code }) => {
  closed(`close event, code ${code}`)
  process.exit(1)
})
await provider.on('block', (number) => {
  void provider.getBlock(number).then((block) => block !== null && heard('heads', block))
})
await provider.on({ address: token }, (log) => {
  const { blockNumber: number, blockHash: hash } = log
  heard('logs', { number, hash })
  // A log that is removed is another event, of this very log.
  const orphan = { orphan: 'drop-log', log: { ...log.toJSON(), removed: true } }
  void provider.once(orphan, () => heard('logs', { number, hash, removed: true }))
})
