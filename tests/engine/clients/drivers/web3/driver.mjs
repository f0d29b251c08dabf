import { Web3 } from 'web3'
import { doAll, facts, many, privateKey, url } from '../support/steps.mjs'

const web3 = new Web3(url)
const { eth } = web3
eth.transactionPollingInterval = 200
eth.handleRevert = false
const account = eth.accounts.privateKeyToAccount(privateKey)
eth.accounts.wallet.add(account)
const { probe, calls, head, block, richest } = facts
const above = head + 1000
const contract = new eth.Contract(facts.probeAbi, probe)
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

const acts = {
  chainId: () => eth.getChainId(),
  blockNumber: () => eth.getBlockNumber(),
  balance: () => eth.getBalance(process.env.STEPS ? facts.stranger : richest),
  nonce: () => eth.getTransactionCount(richest),
  code: () => eth.getCode(facts.token),
  storage: () => eth.getStorageAt(probe, 0),
  call: () => eth.call({ to: probe, data: calls.value }),
  callReverts: () => eth.call({ to: probe, data: calls.reverts }),
  callPanics: () => eth.call({ to: probe, data: calls.panics }),
  callCustomError: () => contract.methods.refuses().call(),
  blockByNumber: () => eth.getBlock(block.number),
  blockByHash: () => eth.getBlock(block.hash, true),
  blockAboveHead: () => eth.getBlock(above),
  transaction: () => eth.getTransaction(facts.transfer),
  transactionMissing: () => eth.getTransaction(facts.missing),
  receipt: () => eth.getTransactionReceipt(facts.transfer),
  receiptMissing: () => eth.getTransactionReceipt(facts.missing),
  logs: () => eth.getPastLogs({ address: facts.token, fromBlock: 0, toBlock: head }),
  logsBeyondHead: () => eth.getPastLogs({ fromBlock: head, toBlock: above }),
  logsInverted: () => eth.getPastLogs({ fromBlock: head, toBlock: 1 }),
  feeHistory: () => eth.getFeeHistory(4, block.number, [25, 75]),
  gasPrice: () => eth.getGasPrice(),
  priorityFee: () => eth.getMaxPriorityFeePerGas(),
  estimate: () => eth.estimateGas({ from: richest, to: facts.stranger, value: 1 }),
  estimateReverts: () => eth.estimateGas({ from: richest, to: probe, data: calls.reverts }),
  estimateOutOfGas: () => eth.estimateGas({ from: richest, to: probe, data: calls.burns }),
  stateAboveHead: () => eth.getBalance(richest, above),
  unknownMethod: () => send('quorate_nothing'),
  accounts: () => eth.getAccounts(),
  sha3: () => send('web3_sha3', ['0x01']),
  peerCount: () => eth.net.getPeerCount(),
  accessList: () => eth.createAccessList({ from: richest, to: probe, data: calls.value }),
  proof: () => eth.getProof(probe, ['0x0'.padEnd(66, '0')], block.number),
  batch: async () => {
    const batch = new eth.BatchRequest()
    const asked = many.map((address) =>
      batch.add({ jsonrpc: '2.0', method: 'eth_getBalance', params: [address, 'latest'] }),
    )
    // One second by default.
    await batch.execute({ timeout: 60_000 })
    return (await Promise.all(asked)).length
  },
  sendAndWait: async () => {
    const { status, gasUsed } = await sent({ to: richest, value: 1, gas: 21_000 })
    return { status, gasUsed }
  },
  deploy: async () => {
    const { status, contractAddress } = await sent({ data: facts.probeBytecode })
    return { status, contractAddress }
  },
  pendingNonce: async () => {
    const sending = sent({ to: richest, value: 1, gas: 21_000 })
    await new Promise((resolve) => sending.once('transactionHash', resolve))
    const nonce = await eth.getTransactionCount(account.address, 'pending')
    await sending
    return nonce
  },
  confirmations: async () => {
    const sending = sent({ to: richest, value: 1, gas: 21_000 })
    const confirmed = new Promise((resolve) =>
      sending.once('confirmation', ({ confirmations }) => resolve(confirmations)),
    )
    await sending
    await sent({ to: richest, value: 1, gas: 21_000 })
    return confirmed
  },
  filter: async () => {
    const filter = await send('eth_newBlockFilter')
    await sent({ to: richest, value: 1, gas: 21_000 })
    return (await send('eth_getFilterChanges', [filter])).length
  },
  sendNonceTooLow: () => sent({ to: richest, value: 1, nonce: 0, gas: 21_000 }),
  sendTooPoor: () => eth.sendSignedTransaction(facts.raw.tooPoor),
  // web3.js parses what it sends, and this one ends the process.
  sendTipAboveCap: () => send('eth_sendRawTransaction', [facts.raw.tipAboveCap]),
  blobTransactionRefused: () => send('eth_sendRawTransaction', [facts.raw.blob]),
}
await doAll(acts, described)
process.exit(0)
