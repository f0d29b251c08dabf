import { ethers } from 'ethers-v5'
import { chainId, does, facts, many, privateKey, url } from '../support/steps.mjs'

ethers.utils.Logger.setLogLevel('off')
const provider = new ethers.providers.StaticJsonRpcProvider({ url }, { name: 'tried', chainId })
provider.pollingInterval = 200
const batching = new ethers.providers.JsonRpcBatchProvider({ url }, { name: 'tried', chainId })
const wallet = new ethers.Wallet(privateKey, provider)
const { probe, calls, head, block, richest } = facts
const above = head + 1000
const step = (name, act) => does(name, async () => simple(await act()), described)
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

const sent = async (fields) => (await wallet.sendTransaction(fields)).wait()

await step('chainId', () => send('eth_chainId'))
await step('blockNumber', () => provider.getBlockNumber())
await step('balance', () => provider.getBalance(process.env.STEPS ? facts.stranger : richest))
await step('nonce', () => provider.getTransactionCount(richest))
await step('code', () => provider.getCode(facts.token))
await step('storage', () => provider.getStorageAt(probe, 0))
await step('call', () => provider.call({ to: probe, data: calls.value }))
await step('callReverts', () => provider.call({ to: probe, data: calls.reverts }))
await step('callPanics', () => provider.call({ to: probe, data: calls.panics }))
await step('callCustomError', () => contract.refuses())
await step('blockByNumber', () => provider.getBlock(block.number))
await step('blockByHash', () => provider.getBlockWithTransactions(block.hash))
await step('blockAboveHead', () => send('eth_getBlockByNumber', [`0x${above.toString(16)}`, false]))
await step('blockReceiptsAboveHead', () => send('eth_getBlockReceipts', [`0x${above.toString(16)}`]))
await step('transaction', () => provider.getTransaction(facts.transfer))
await step('transactionMissing', () => send('eth_getTransactionByHash', [facts.missing]))
await step('receipt', () => provider.getTransactionReceipt(facts.transfer))
await step('receiptMissing', () => provider.getTransactionReceipt(facts.missing))
await step('logs', () => provider.getLogs({ address: facts.token, fromBlock: 0, toBlock: head }))
await step('logsBeyondHead', () => provider.getLogs({ fromBlock: head, toBlock: above }))
await step('logsInverted', () => provider.getLogs({ fromBlock: head, toBlock: 1 }))
await step('feeHistory', () => send('eth_feeHistory', ['0x4', `0x${block.number.toString(16)}`, [25, 75]]))
await step('gasPrice', () => provider.getGasPrice())
await step('priorityFee', () => send('eth_maxPriorityFeePerGas'))
await step('estimate', () => provider.estimateGas({ from: richest, to: facts.stranger, value: 1 }))
await step('estimateReverts', () => provider.estimateGas({ from: richest, to: probe, data: calls.reverts }))
await step('estimateOutOfGas', () => provider.estimateGas({ from: richest, to: probe, data: calls.burns }))
await step('stateAboveHead', () => provider.getBalance(richest, above))
await step('unknownMethod', () => send('quorate_nothing'))
await step('accounts', () => provider.listAccounts())
await step('sha3', () => send('web3_sha3', ['0x01']))
await step('peerCount', () => send('net_peerCount'))
await step('accessList', () =>
  send('eth_createAccessList', [{ from: richest, to: probe, data: calls.value }, 'latest']),
)
await step('proof', () =>
  send('eth_getProof', [probe, [`0x${'0'.repeat(64)}`], `0x${block.number.toString(16)}`]),
)
await step(
  'batch',
  async () => (await Promise.all(many.map((address) => batching.getBalance(address)))).length,
)
await step('sendAndWait', async () => {
  const { status, gasUsed } = await sent({ to: richest, value: 1 })
  return { status, gasUsed }
})
await step('deploy', async () => {
  const { status, contractAddress } = await sent({ data: facts.probeBytecode })
  return { status, contractAddress }
})
await step('pendingNonce', async () => {
  const transaction = await wallet.sendTransaction({ to: richest, value: 1 })
  const nonce = await provider.getTransactionCount(wallet.address, 'pending')
  await transaction.wait()
  return nonce
})
await step('filter', async () => {
  const filter = await send('eth_newBlockFilter')
  await sent({ to: richest, value: 1 })
  return (await send('eth_getFilterChanges', [filter])).length
})
await step('sendNonceTooLow', () =>
  wallet.sendTransaction({ to: richest, value: 1, nonce: 0, gasLimit: 21_000 }),
)
await step('sendTooPoor', () => provider.sendTransaction(facts.raw.tooPoor))
await step('sendTipAboveCap', () => provider.sendTransaction(facts.raw.tipAboveCap))
await step('blobTransactionRefused', () => send('eth_sendRawTransaction', [facts.raw.blob]))
