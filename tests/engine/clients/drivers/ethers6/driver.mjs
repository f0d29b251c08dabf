import { Contract, JsonRpcProvider, Network, Wallet } from 'ethers'
import { above, ethersSteps } from '../support/ethers-steps.mjs'
import { chainId, doAll, facts, privateKey, url } from '../support/steps.mjs'

const network = new Network('tried', chainId)
const provider = new JsonRpcProvider(url, network, {
  staticNetwork: true,
  cacheTimeout: -1,
  polling: true,
  pollingInterval: 200,
})
const wallet = new Wallet(privateKey, provider)
const { probe, block } = facts
const send = (method, params = []) => provider.send(method, params)
const contract = new Contract(probe, facts.probeAbi, provider)

/** The error code of ethers, and the error of the server. */
function described({ name, code, message, shortMessage, error, info, reason }) {
  const said = error ?? info?.error
  return {
    type: code ?? name,
    code: said?.code ?? null,
    message: `${shortMessage ?? message}${said?.message ? `: ${said.message}` : ''}${reason ? ` (${reason})` : ''}`,
  }
}

const plain = (thing) => thing?.toJSON() ?? null

const acts = {
  ...ethersSteps({ send, provider, wallet, contract, batching: provider, shown: plain }),
  storage: () => provider.getStorage(probe, 0),
  blockByHash: async () => plain(await provider.getBlock(block.hash, true)),
  blockAboveHead: async () => plain(await provider.getBlock(above)),
  transactionMissing: async () => plain(await provider.getTransaction(facts.missing)),
  gasPrice: async () => (await provider.getFeeData()).gasPrice,
  priorityFee: async () => (await provider.getFeeData()).maxPriorityFeePerGas,
  accounts: async () => (await provider.listAccounts()).map(({ address }) => address),
  events: async () => {
    const heard = new Promise((resolve) => contract.once('Set', (by, value) => resolve({ by, value })))
    await (await contract.connect(wallet).set(42)).wait()
    return heard
  },
  sendTooPoor: () => send('eth_sendRawTransaction', [facts.raw.tooPoor]),
  sendTipAboveCap: () => send('eth_sendRawTransaction', [facts.raw.tipAboveCap]),
  blobTransactionRefused: () => send('eth_sendRawTransaction', [facts.raw.blob]),
}
await doAll(acts, described)
process.exit(0)
