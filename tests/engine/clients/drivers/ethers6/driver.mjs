import { Contract, JsonRpcProvider, Network, Wallet } from 'ethers'
import { chainId, does, facts, many, privateKey, url } from '../support/steps.mjs'

const network = new Network('tried', chainId)
const provider = new JsonRpcProvider(url, network, {
  staticNetwork: true,
  cacheTimeout: -1,
  polling: true,
  pollingInterval: 200,
})
const wallet = new Wallet(privateKey, provider)
const { probe, calls, head, block, richest } = facts
const above = head + 1000
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

const sent = async (fields) => (await wallet.sendTransaction(fields)).wait()
const plain = (thing) => thing?.toJSON() ?? null

await step('chainId', async () => await send('eth_chainId'))
await step('blockNumber', () => provider.getBlockNumber())
await step('balance', () => provider.getBalance(process.env.STEPS ? facts.stranger : richest))
await step('nonce', () => provider.getTransactionCount(richest))
await step('code', () => provider.getCode(facts.token))
await step('storage', () => provider.getStorage(probe, 0))
await step('call', () => provider.call({ to: probe, data: calls.value }))
await step('callReverts', () => provider.call({ to: probe, data: calls.reverts }))
await step('callPanics', () => provider.call({ to: probe, data: calls.panics }))
await step('callCustomError', () => contract.refuses())
await step('blockByNumber', async () => plain(await provider.getBlock(block.number)))
await step('blockByHash', async () => plain(await provider.getBlock(block.hash, true)))
await step('blockAboveHead', async () => plain(await provider.getBlock(above)))
await step('blockReceiptsAboveHead', () => send('eth_getBlockReceipts', [`0x${above.toString(16)}`]))
await step('transaction', async () => plain(await provider.getTransaction(facts.transfer)))
await step('transactionMissing', async () => plain(await provider.getTransaction(facts.missing)))
await step('receipt', async () => plain(await provider.getTransactionReceipt(facts.transfer)))
await step('receiptMissing', async () => plain(await provider.getTransactionReceipt(facts.missing)))
await step('logs', async () =>
  (await provider.getLogs({ address: facts.token, fromBlock: 0, toBlock: head })).map(plain),
)
await step('logsBeyondHead', () => provider.getLogs({ fromBlock: head, toBlock: above }))
await step('logsInverted', () => provider.getLogs({ fromBlock: head, toBlock: 1 }))
await step('feeHistory', () => send('eth_feeHistory', ['0x4', `0x${block.number.toString(16)}`, [25, 75]]))
await step('gasPrice', async () => (await provider.getFeeData()).gasPrice)
await step('priorityFee', async () => (await provider.getFeeData()).maxPriorityFeePerGas)
await step('estimate', () => provider.estimateGas({ from: richest, to: facts.stranger, value: 1 }))
await step('estimateReverts', () => provider.estimateGas({ from: richest, to: probe, data: calls.reverts }))
await step('estimateOutOfGas', () => provider.estimateGas({ from: richest, to: probe, data: calls.burns }))
await step('stateAboveHead', () => provider.getBalance(richest, above))
await step('unknownMethod', () => send('quorate_nothing'))
await step('accounts', async () => (await provider.listAccounts()).map(({ address }) => address))
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
  async () => (await Promise.all(many.map((address) => provider.getBalance(address)))).length,
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
await step('events', async () => {
  const heard = new Promise((resolve) => contract.once('Set', (by, value) => resolve({ by, value })))
  await (await contract.connect(wallet).set(42)).wait()
  return heard
})
await step('sendNonceTooLow', () =>
  wallet.sendTransaction({ to: richest, value: 1, nonce: 0, gasLimit: 21_000 }),
)
await step('sendTooPoor', () => send('eth_sendRawTransaction', [facts.raw.tooPoor]))
await step('sendTipAboveCap', () => send('eth_sendRawTransaction', [facts.raw.tipAboveCap]))
await step('blobTransactionRefused', () => send('eth_sendRawTransaction', [facts.raw.blob]))
process.exit(0)
