import { ethers } from 'ethers-v5'
import { above, ethersSteps } from '../support/ethers-steps.mjs'
import { chainId, does, facts, privateKey, url } from '../support/steps.mjs'

ethers.utils.Logger.setLogLevel('off')
const provider = new ethers.providers.StaticJsonRpcProvider({ url }, { name: 'tried', chainId })
provider.pollingInterval = 200
const batching = new ethers.providers.JsonRpcBatchProvider({ url }, { name: 'tried', chainId })
const wallet = new ethers.Wallet(privateKey, provider)
const { probe, block } = facts
const send = (method, params = []) => provider.send(method, params)
const contract = new ethers.Contract(probe, facts.probeAbi, provider)

/** The error code of ethers, and the error of the server at any depth. */
function described({ name, code, reason, message, error }) {
  let said = error
  while (said?.error) said = said.error
  return {
    type: typeof code === 'string' ? code : name,
    code: said?.code ?? (typeof code === 'number' ? code : null),
    message: [reason ?? message.split(' (')[0], said?.message].filter(Boolean).join(': '),
  }
}

/** Big numbers as text, without functions and confirmation counts. */
function simple(value) {
  if (ethers.BigNumber.isBigNumber(value)) return value.toString()
  if (Array.isArray(value)) return value.map(simple)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => typeof one !== 'function' && key !== 'confirmations')
      .map(([key, one]) => [key, simple(one)]),
  )
}

const acts = {
  ...ethersSteps({ send, provider, wallet, contract, batching, shown: (thing) => thing }),
  storage: () => provider.getStorageAt(probe, 0),
  blockByHash: () => provider.getBlockWithTransactions(block.hash),
  blockAboveHead: () => send('eth_getBlockByNumber', [`0x${above.toString(16)}`, false]),
  transactionMissing: () => send('eth_getTransactionByHash', [facts.missing]),
  gasPrice: () => provider.getGasPrice(),
  priorityFee: () => send('eth_maxPriorityFeePerGas'),
  accounts: () => provider.listAccounts(),
  sendTooPoor: () => provider.sendTransaction(facts.raw.tooPoor),
  sendTipAboveCap: () => provider.sendTransaction(facts.raw.tipAboveCap),
  blobTransactionRefused: () => send('eth_sendRawTransaction', [facts.raw.blob]),
}
for (const [name, act] of Object.entries(acts)) await does(name, async () => simple(await act()), described)
