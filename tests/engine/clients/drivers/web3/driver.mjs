import { Web3 } from 'web3'
import { does, facts, many, privateKey, url } from '../support/steps.mjs'

const web3 = new Web3(url)
const { eth } = web3
eth.transactionPollingInterval = 200
eth.handleRevert = false
const account = eth.accounts.privateKeyToAccount(privateKey)
eth.accounts.wallet.add(account)
const { probe, calls, head, block, richest } = facts
const above = head + 1000
const contract = new eth.Contract(facts.probeAbi, probe)
const step = (name, act) => does(name, act, described)
const send = (method, params = []) => web3.requestManager.send({ method, params })
// Without a gas price web3.js uses the base fee of the last block and a tip of 2.5 gwei.
const sent = (fields) => eth.sendTransaction({ from: account.address, ...fields })

/** The code of web3.js, and the error of the server. */
function described(thrown) {
  const { name, code, message, cause, innerError } = thrown
  const said = [innerError, cause?.cause, cause]
    .flat()
    .find((one) => one?.code !== undefined && one.code !== code)
  const reported = said?.message === undefined || message.includes(said.message) ? '' : `: ${said.message}`
  return {
    type: name,
    code: said === undefined ? code : `${code}, cause.code ${said.code}`,
    message: `${message}${reported}`,
  }
}

await step('chainId', () => eth.getChainId())
await step('blockNumber', () => eth.getBlockNumber())
await step('balance', () => eth.getBalance(process.env.STEPS ? facts.stranger : richest))
await step('nonce', () => eth.getTransactionCount(richest))
await step('code', () => eth.getCode(facts.token))
await step('storage', () => eth.getStorageAt(probe, 0))
await step('call', () => eth.call({ to: probe, data: calls.value }))
await step('callReverts', () => eth.call({ to: probe, data: calls.reverts }))
await step('callPanics', () => eth.call({ to: probe, data: calls.panics }))
await step('callCustomError', () => contract.methods.refuses().call())
await step('blockByNumber', () => eth.getBlock(block.number))
await step('blockByHash', () => eth.getBlock(block.hash, true))
await step('blockAboveHead', () => eth.getBlock(above))
await step('transaction', () => eth.getTransaction(facts.transfer))
await step('transactionMissing', () => eth.getTransaction(facts.missing))
await step('receipt', () => eth.getTransactionReceipt(facts.transfer))
await step('receiptMissing', () => eth.getTransactionReceipt(facts.missing))
await step('logs', () => eth.getPastLogs({ address: facts.token, fromBlock: 0, toBlock: head }))
await step('logsBeyondHead', () => eth.getPastLogs({ fromBlock: head, toBlock: above }))
await step('logsInverted', () => eth.getPastLogs({ fromBlock: head, toBlock: 1 }))
await step('feeHistory', () => eth.getFeeHistory(4, block.number, [25, 75]))
await step('gasPrice', () => eth.getGasPrice())
await step('priorityFee', () => eth.getMaxPriorityFeePerGas())
await step('estimate', () => eth.estimateGas({ from: richest, to: facts.stranger, value: 1 }))
await step('estimateReverts', () => eth.estimateGas({ from: richest, to: probe, data: calls.reverts }))
await step('estimateOutOfGas', () => eth.estimateGas({ from: richest, to: probe, data: calls.burns }))
await step('stateAboveHead', () => eth.getBalance(richest, above))
await step('unknownMethod', () => send('quorate_nothing'))
await step('accounts', () => eth.getAccounts())
await step('sha3', () => send('web3_sha3', ['0x01']))
await step('peerCount', () => eth.net.getPeerCount())
await step('accessList', () => eth.createAccessList({ from: richest, to: probe, data: calls.value }))
await step('proof', () => eth.getProof(probe, ['0x0'.padEnd(66, '0')], block.number))
await step('batch', async () => {
  const batch = new eth.BatchRequest()
  const asked = many.map((address) =>
    batch.add({ jsonrpc: '2.0', method: 'eth_getBalance', params: [address, 'latest'] }),
  )
  // One second by default.
  await batch.execute({ timeout: 60_000 })
  return (await Promise.all(asked)).length
})
await step('sendAndWait', async () => {
  const { status, gasUsed } = await sent({ to: richest, value: 1, gas: 21_000 })
  return { status, gasUsed }
})
await step('deploy', async () => {
  const { status, contractAddress } = await sent({ data: facts.probeBytecode })
  return { status, contractAddress }
})
await step('pendingNonce', async () => {
  const sending = sent({ to: richest, value: 1, gas: 21_000 })
  await new Promise((resolve) => sending.once('transactionHash', resolve))
  const nonce = await eth.getTransactionCount(account.address, 'pending')
  await sending
  return nonce
})
await step('confirmations', async () => {
  const sending = sent({ to: richest, value: 1, gas: 21_000 })
  const confirmed = new Promise((resolve) =>
    sending.once('confirmation', ({ confirmations }) => resolve(confirmations)),
  )
  await sending
  await sent({ to: richest, value: 1, gas: 21_000 })
  return confirmed
})
await step('filter', async () => {
  const filter = await send('eth_newBlockFilter')
  await sent({ to: richest, value: 1, gas: 21_000 })
  return (await send('eth_getFilterChanges', [filter])).length
})
await step('sendNonceTooLow', () => sent({ to: richest, value: 1, nonce: 0, gas: 21_000 }))
await step('sendTooPoor', () => eth.sendSignedTransaction(facts.raw.tooPoor))
// web3.js parses what it sends, and this one ends the process.
await step('sendTipAboveCap', () => send('eth_sendRawTransaction', [facts.raw.tipAboveCap]))
await step('blobTransactionRefused', () => send('eth_sendRawTransaction', [facts.raw.blob]))
process.exit(0)
