import { describedText, foundryProgram, output } from '../support/commands.mjs'
import { hex, manyBalances } from '../support/plain-steps.mjs'
import { doAll, facts, privateKey, url } from '../support/steps.mjs'

const program = foundryProgram('cast', import.meta.dirname)
const { probe, calls, head, block, richest, raw } = facts
const above = String(head + 1000)
const cast = (command, ...args) =>
  output(program, [command, ...args, '--rpc-url', url], { env: { NO_COLOR: '1' } })
const rpc = (method, ...params) => cast('rpc', method, ...params.map((param) => JSON.stringify(param)))
const send = async (...args) => cast('send', '--private-key', privateKey, '--json', ...args)

const acts = {
  chainId: () => cast('chain-id'),
  blockNumber: () => cast('block-number'),
  balance: () => cast('balance', process.env.STEPS ? facts.stranger : richest),
  nonce: () => cast('nonce', richest),
  code: () => cast('code', facts.token),
  storage: () => cast('storage', probe, '0'),
  call: () => cast('call', probe, '--data', calls.value),
  callReverts: () => cast('call', probe, '--data', calls.reverts),
  callPanics: () => cast('call', probe, '--data', calls.panics),
  callCustomError: () => cast('call', probe, '--data', calls.refuses),
  blockByNumber: () => cast('block', String(block.number), '--json'),
  blockByHash: () => cast('block', block.hash, '--full', '--json'),
  blockAboveHead: () => cast('block', above, '--json'),
  blockReceiptsAboveHead: () => rpc('eth_getBlockReceipts', hex(head + 1000)),
  transaction: () => cast('tx', facts.transfer, '--json'),
  transactionMissing: () => cast('tx', facts.missing, '--json'),
  receipt: () => cast('receipt', facts.transfer, '--json'),
  receiptMissing: () => cast('receipt', '--async', facts.missing, '--json'),
  logs: () =>
    cast('logs', '--address', facts.token, '--from-block', '0', '--to-block', String(head), '--json'),
  logsBeyondHead: () => cast('logs', '--from-block', String(head), '--to-block', above, '--json'),
  logsInverted: () => cast('logs', '--from-block', String(head), '--to-block', '1', '--json'),
  feeHistory: () => rpc('eth_feeHistory', '0x4', hex(block.number), [25, 75]),
  gasPrice: () => cast('gas-price'),
  priorityFee: () => rpc('eth_maxPriorityFeePerGas'),
  estimate: () => cast('estimate', '--from', richest, '--value', '1', facts.stranger),
  estimateReverts: () => cast('estimate', '--from', richest, probe, 'reverts()'),
  estimateOutOfGas: () => cast('estimate', '--from', richest, probe, 'burns()'),
  stateAboveHead: () => cast('balance', '--block', above, richest),
  unknownMethod: () => rpc('quorate_nothing'),
  accounts: () => rpc('eth_accounts'),
  sha3: () => rpc('web3_sha3', '0x01'),
  peerCount: () => rpc('net_peerCount'),
  accessList: () => cast('access-list', '--from', richest, probe, 'value()', '--json'),
  proof: () => cast('proof', probe, '0', '--block', String(block.number)),
  batch: async () =>
    (await Promise.all(manyBalances.slice(0, 10).map(([method, params]) => rpc(method, ...params)))).length,
  sendAndWait: async () => {
    const { status, gasUsed } = await send('--value', '1', richest)
    return { status, gasUsed }
  },
  deploy: async () => {
    const { status, contractAddress } = await send('--create', facts.probeBytecode)
    return { status, contractAddress }
  },
  pendingNonce: async () => {
    const hash = await send('--async', '--value', '1', richest)
    const nonce = await cast(
      'nonce',
      '--block',
      'pending',
      await output(program, ['wallet', 'address', privateKey]),
    )
    await cast('receipt', String(hash), '--json')
    return nonce
  },
  sendNonceTooLow: () => send('--nonce', '0', '--value', '1', richest),
  sendTooPoor: () => cast('publish', raw.tooPoor),
  sendTipAboveCap: () => cast('publish', raw.tipAboveCap),
}
await doAll(acts, describedText)
// No blob transaction: it exceeds the maximum length of a command line argument.
