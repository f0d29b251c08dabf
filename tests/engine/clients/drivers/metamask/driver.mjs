import { Messenger } from '@metamask/messenger'
import { NetworkController } from '@metamask/network-controller'
import { hex, manyBalances, plainSteps, refusedSteps } from '../support/plain-steps.mjs'
import { senderBy } from '../support/sender.mjs'
import { chainId, does, facts, url } from '../support/steps.mjs'

const networkClientId = 'tried'
const messenger = new Messenger({ namespace: 'NetworkController' })
const reports = new Messenger({ namespace: 'ErrorReportingService' })
reports.registerActionHandler('ErrorReportingService:captureException', console.error)
reports.delegate({ actions: ['ErrorReportingService:captureException'], messenger })
const unavailable = []
const controller = new NetworkController({
  messenger,
  infuraProjectId: '0'.repeat(32),
  state: {
    selectedNetworkClientId: networkClientId,
    networksMetadata: {},
    networkConfigurationsByChainId: {
      [hex(chainId)]: {
        chainId: hex(chainId),
        name: 'Tried',
        nativeCurrency: 'ETH',
        blockExplorerUrls: [],
        defaultRpcEndpointIndex: 0,
        rpcEndpoints: [{ type: 'custom', url, networkClientId }],
      },
    },
  },
  getRpcServiceOptions: () => ({ fetch, btoa }),
  getBlockTrackerOptions: () => ({ pollingInterval: 200 }),
})
messenger.subscribe('NetworkController:rpcEndpointUnavailable', (event) => unavailable.push(event))
await controller.initializeProvider()
const { provider, blockTracker } = controller.getNetworkClientById(networkClientId)
const ask = (method, params) => provider.request({ method, params })
const step = (name, act) => does(name, act, described)

/** MetaMask wraps the error of the server in the data of its own error. */
function described({ name, code, message, data }) {
  const said = data?.message === undefined ? '' : `: ${data.message}`
  const codes = data?.code === undefined ? code : `${code}, data.code ${data.code}`
  return { type: name, code: codes ?? null, message: `${message}${said}` }
}

const { send } = senderBy(ask)

for (const [name, method, params] of plainSteps) await step(name, () => ask(method, params))
await step(
  'batch',
  async () => (await Promise.all(manyBalances.map(([method, params]) => ask(method, params)))).length,
)
await step('sendAndWait', send)
await step('blockTracker', async () => {
  const before = Number(await blockTracker.getLatestBlock())
  const seen = new Promise((resolve) => {
    const look = (number) => {
      if (Number(number) > before) resolve(Number(number) - before)
    }
    blockTracker.on('latest', look)
  })
  await send()
  return seen
})
await step('network', async () => {
  await controller.lookupNetwork(networkClientId)
  const { status, EIPS } = controller.state.networksMetadata[networkClientId]
  return { status, EIPS, unavailable: unavailable.length }
})
for (const [name, method, params] of refusedSteps) await step(name, () => ask(method, params))
await step('stillUsable', stillUsable)
process.exit(0)

/** After a hundred calls without a quorum, which any page can make, calls with one must still be answered. */
async function stillUsable() {
  const failures = []
  for (let index = 0; index < 100; index++) {
    const address = `0x${(index + 1).toString(16).padStart(40, 'e0')}`
    await ask('eth_getBalance', [address, 'latest']).catch(({ data }) => failures.push(data?.code))
  }
  await controller.lookupNetwork(networkClientId)
  const { status } = controller.state.networksMetadata[networkClientId]
  const block = await ask('eth_getBlockByNumber', ['latest', false])
  const usable = status === 'available' && Number(block.number) === facts.head && unavailable.length === 0
  if (failures.length !== 100 || failures.some((code) => code !== -32010) || !usable)
    throw new Error(`${failures.length} failed (${[...new Set(failures)]}), then the network was ${status}`)
  return `${failures.length} such calls later the network is ${status}`
}
