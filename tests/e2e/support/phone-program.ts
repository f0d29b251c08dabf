import { SignClient } from '@walletconnect/sign-client'
import { createWalletClient, type Hex, http } from 'viem'
import { demoAccount } from '../../../demo/accounts.ts'
import { type Order, type PhoneOptions, type PhoneRequest, phoneShows, type SharedAccount } from './phone.ts'
import { type GivenCall, sendAsOne, statusOfOne } from './send-as-one.ts'

/**
 * The process of the phone, with WalletConnect's wallet SDK. It approves all proposals and signs all requests. The SDK retries
 * a lost relay without a pause, and only the end of the process stops it.
 */
const { relayUrl, origin, projectId } = JSON.parse(process.argv[2] ?? '') as PhoneOptions
const account = demoAccount(3)
const asked: string[] = []
const askers = new Set<string>()
let offered = 0
let shown = phoneShows
/** Until its owner has looked at a request. */
let owner = Promise.resolve()
let answerAll = () => {}

const client = await SignClient.init({
  projectId,
  relayUrl,
  metadata: { name: 'Phone Wallet', description: 'A phone', url: 'https://phone.test', icons: [] },
  storageOptions: { database: ':memory:' },
  logger: 'silent',
})
const sessions = () => client.session.getAll().map(({ topic }) => topic)

client.on('session_proposal', async ({ id, params }) => {
  offered++
  askers.add(params.proposer.metadata.name)
  const { acknowledged } = await client.approve({ id, namespaces: namespaces() })
  await acknowledged()
})
client.on('session_request', async ({ id, topic, params: { request, chainId } }) => {
  asked.push(request.method)
  await owner
  const response = await answer(request.method, request.params, chainId).then(
    (result) => ({ id, jsonrpc: '2.0', result }),
    ({ message }: Error) => ({ id, jsonrpc: '2.0', error: { code: -32000, message } }),
  )
  await client.respond({ topic, response })
})

const orders = {
  pair: async (uri: string) => void (await client.core.pairing.pair({ uri })),
  async show(text: string) {
    shown = JSON.parse(text) as SharedAccount
    for (const topic of sessions()) await client.update({ topic, namespaces: namespaces() })
  },
  async end() {
    const reason = { code: 6000, message: 'User disconnected.' }
    for (const topic of sessions()) await client.disconnect({ topic, reason })
  },
  async hesitate() {
    owner = new Promise((resolve) => {
      answerAll = resolve
    })
  },
  decide: async () => answerAll(),
  look: async (): Promise<PhoneRequest> => ({
    asked,
    askers: [...askers],
    offered,
    sessions: sessions().length,
  }),
}

process.on('message', async ({ id, name, text }: Order) => {
  const done = await orders[name](text).then(
    (value) => ({ value }),
    ({ message }: Error) => ({ error: message }),
  )
  process.send?.({ id, ...done })
})
process.send?.({ id: 0 })

const ofBatches = ['wallet_getCapabilities', 'wallet_sendCalls', 'wallet_getCallsStatus']
const methods = ['eth_sendTransaction', 'personal_sign', 'wallet_switchEthereumChain', ...ofBatches]

function namespaces() {
  const names = shown.chainIds.map((id) => `eip155:${id}`)
  const accounts = names.map((chain) => `${chain}:${shown.address}`)
  return { eip155: { chains: names, accounts, methods, events: ['accountsChanged', 'chainChanged'] } }
}

function walletOn(chain: string) {
  return createWalletClient({ account, transport: http(urlOf(chain)) })
}

const urlOf = (chain: string) => `${origin}/api/rpc/${chain}`

async function answer(method: string, params: readonly unknown[], chainId: string): Promise<unknown> {
  const chain = chainId.replace('eip155:', '')
  switch (method) {
    case 'wallet_switchEthereumChain':
      return null
    case 'personal_sign':
      return account.signMessage({ message: { raw: params[0] as Hex } })
    case 'eth_sendTransaction': {
      const { to, value = '0x0' } = params[0] as { readonly to: Hex; readonly value?: Hex }
      return walletOn(chain).sendTransaction({ chain: null, to, value: BigInt(value) })
    }
    case 'wallet_getCapabilities':
      return { [`0x${Number(chain).toString(16)}`]: { atomic: { status: 'supported' } } }
    case 'wallet_sendCalls':
      // The id is the hash, as some wallets have it.
      return {
        id: await sendAsOne(walletOn(chain), (params[0] as { readonly calls: readonly GivenCall[] }).calls),
      }
    case 'wallet_getCallsStatus':
      return statusOfOne(urlOf(chain), { hash: params[0] as Hex, chainId: Number(chain) })
    default:
      throw new Error(`the phone does not know ${method}`)
  }
}
