import { Contract, JsonRpcProvider, Network, Wallet } from 'ethers'
import { above, ethersSteps } from '../support/ethers-steps.mjs'
import { chainId, does, facts, privateKey, url } from '../support/steps.mjs'

const network = new Network('tried', chainId)
const provider = new JsonRpcProvider(url, network, {
  staticNetwork: true,
  cacheTimeout: -1,
  polling: true,
  pollingInterval: 200,
})
const wallet = new Wallet(privateKey, provider)
const { probe, block } = facts
const step = (name, act) => does(name, act, described)
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

await ethersSteps({ step, send, provider, wallet, contract, batching: provider, shown: plain })
await step('storage', () => provider.getStorage(probe, 0))
await step('blockByHash', async () => plain(await provider.getBlock(block.hash, true)))
await step('blockAboveHead', async () => plain(await provider.getBlock(above)))
await step('transactionMissing', async () => plain(await provider.getTransaction(facts.missing)))
await step('gasPrice', async () => (await provider.getFeeData()).gasPrice)
await step('priorityFee', async () => (await provider.getFeeData()).maxPriorityFeePerGas)
await step('accounts', async () => (await provider.listAccounts()).map(({ address }) => address))
await step('events', async () => {
  const heard = new Promise((resolve) => contract.once('Set', (by, value) => resolve({ by, value })))
  await (await contract.connect(wallet).set(42)).wait()
  return heard
})
await step('sendTooPoor', () => send('eth_sendRawTransaction', [facts.raw.tooPoor]))
await step('sendTipAboveCap', () => send('eth_sendRawTransaction', [facts.raw.tipAboveCap]))
await step('blobTransactionRefused', () => send('eth_sendRawTransaction', [facts.raw.blob]))
process.exit(0)
