import { facts, many } from './steps.mjs'

const { probe, calls, head, block, richest, raw } = facts
/** @param {number} number */
export const hex = (number) => `0x${number.toString(16)}`
const above = hex(head + 1000)

/** The standard steps for clients that pass JSON-RPC through: step, method, params. */
export const plainSteps = [
  ['chainId', 'eth_chainId', []],
  ['blockNumber', 'eth_blockNumber', []],
  ['balance', 'eth_getBalance', [process.env.STEPS ? facts.stranger : richest, 'latest']],
  ['nonce', 'eth_getTransactionCount', [richest, 'latest']],
  ['code', 'eth_getCode', [facts.token, 'latest']],
  ['storage', 'eth_getStorageAt', [probe, `0x${'0'.repeat(64)}`, 'latest']],
  ['call', 'eth_call', [{ to: probe, data: calls.value }, 'latest']],
  ['callReverts', 'eth_call', [{ to: probe, data: calls.reverts }, 'latest']],
  ['callPanics', 'eth_call', [{ to: probe, data: calls.panics }, 'latest']],
  ['callCustomError', 'eth_call', [{ to: probe, data: calls.refuses }, 'latest']],
  ['blockByNumber', 'eth_getBlockByNumber', [hex(block.number), false]],
  ['blockByHash', 'eth_getBlockByHash', [block.hash, true]],
  ['blockAboveHead', 'eth_getBlockByNumber', [above, false]],
  ['blockReceiptsAboveHead', 'eth_getBlockReceipts', [above]],
  ['transaction', 'eth_getTransactionByHash', [facts.transfer]],
  ['transactionMissing', 'eth_getTransactionByHash', [facts.missing]],
  ['receipt', 'eth_getTransactionReceipt', [facts.transfer]],
  ['receiptMissing', 'eth_getTransactionReceipt', [facts.missing]],
  ['logs', 'eth_getLogs', [{ address: facts.token, fromBlock: '0x0', toBlock: hex(head) }]],
  ['logsBeyondHead', 'eth_getLogs', [{ fromBlock: hex(head), toBlock: above }]],
  ['logsInverted', 'eth_getLogs', [{ fromBlock: hex(head), toBlock: '0x1' }]],
  ['feeHistory', 'eth_feeHistory', ['0x4', hex(block.number), [25, 75]]],
  ['gasPrice', 'eth_gasPrice', []],
  ['priorityFee', 'eth_maxPriorityFeePerGas', []],
  ['estimate', 'eth_estimateGas', [{ from: richest, to: facts.stranger, value: '0x1' }]],
  ['estimateReverts', 'eth_estimateGas', [{ from: richest, to: probe, data: calls.reverts }]],
  ['estimateOutOfGas', 'eth_estimateGas', [{ from: richest, to: probe, data: calls.burns }]],
  ['stateAboveHead', 'eth_getBalance', [richest, above]],
  ['unknownMethod', 'quorate_nothing', []],
  ['accounts', 'eth_accounts', []],
  ['sha3', 'web3_sha3', ['0x01']],
  ['peerCount', 'net_peerCount', []],
  ['accessList', 'eth_createAccessList', [{ from: richest, to: probe, data: calls.value }, 'latest']],
  ['proof', 'eth_getProof', [probe, [`0x${'0'.repeat(64)}`], hex(block.number)]],
]

/** Refused transactions. The blob transaction is accepted by the chain, so it comes last. */
export const refusedSteps = [
  ['sendNonceTooLow', 'eth_sendRawTransaction', [raw.nonceTooLow]],
  ['sendTooPoor', 'eth_sendRawTransaction', [raw.tooPoor]],
  ['sendTipAboveCap', 'eth_sendRawTransaction', [raw.tipAboveCap]],
  ['blobTransactionRefused', 'eth_sendRawTransaction', [raw.blob]],
]

export const manyBalances = many.map((address) => ['eth_getBalance', [address, 'latest']])
