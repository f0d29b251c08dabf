import { describedText, foundryProgram, output } from '../support/commands.mjs'
import { hex, manyBalances } from '../support/plain-steps.mjs'
import { does, facts, privateKey, url } from '../support/steps.mjs'

const program = foundryProgram('cast', import.meta.dirname)
const { probe, calls, head, block, richest, raw } = facts
const above = String(head + 1000)
const cast = (command, ...args) =>
  output(program, [command, ...args, '--rpc-url', url], { env: { NO_COLOR: '1' } })
const rpc = (method, ...params) => cast('rpc', method, ...params.map((param) => JSON.stringify(param)))
const step = (name, act) => does(name, act, describedText)
const send = async (...args) => cast('send', '--private-key', privateKey, '--json', ...args)

await step('chainId', () => cast('chain-id'))
await step('blockNumber', () => cast('block-number'))
await step('balance', () => cast('balance', process.env.STEPS ? facts.stranger : richest))
await step('nonce', () => cast('nonce', richest))
await step('code', () => cast('code', facts.token))
await step('storage', () => cast('storage', probe, '0'))
await step('call', () => cast('call', probe, '--data', calls.value))
await step('callReverts', () => cast('call', probe, '--data', calls.reverts))
await step('callPanics', () => cast('call', probe, '--data', calls.panics))
await step('callCustomError', () => cast('call', probe, '--data', calls.refuses))
await step('blockByNumber', () => cast('block', String(block.number), '--json'))
await step('blockByHash', () => cast('block', block.hash, '--full', '--json'))
await step('blockAboveHead', () => cast('block', above, '--json'))
await step('blockReceiptsAboveHead', () => rpc('eth_getBlockReceipts', hex(head + 1000)))
await step('transaction', () => cast('tx', facts.transfer, '--json'))
await step('transactionMissing', () => cast('tx', facts.missing, '--json'))
await step('receipt', () => cast('receipt', facts.transfer, '--json'))
await step('receiptMissing', () => cast('receipt', '--async', facts.missing, '--json'))
await step('logs', () =>
  cast('logs', '--address', facts.token, '--from-block', '0', '--to-block', String(head), '--json'),
)
await step('logsBeyondHead', () => cast('logs', '--from-block', String(head), '--to-block', above, '--json'))
await step('logsInverted', () => cast('logs', '--from-block', String(head), '--to-block', '1', '--json'))
await step('feeHistory', () => rpc('eth_feeHistory', '0x4', hex(block.number), [25, 75]))
await step('gasPrice', () => cast('gas-price'))
await step('priorityFee', () => rpc('eth_maxPriorityFeePerGas'))
await step('estimate', () => cast('estimate', '--from', richest, '--value', '1', facts.stranger))
await step('estimateReverts', () => cast('estimate', '--from', richest, probe, 'reverts()'))
await step('estimateOutOfGas', () => cast('estimate', '--from', richest, probe, 'burns()'))
await step('stateAboveHead', () => cast('balance', '--block', above, richest))
await step('unknownMethod', () => rpc('quorate_nothing'))
await step('accounts', () => rpc('eth_accounts'))
await step('sha3', () => rpc('web3_sha3', '0x01'))
await step('peerCount', () => rpc('net_peerCount'))
await step('accessList', () => cast('access-list', '--from', richest, probe, 'value()', '--json'))
await step('proof', () => cast('proof', probe, '0', '--block', String(block.number)))
await step(
  'batch',
  async () =>
    (await Promise.all(manyBalances.slice(0, 10).map(([method, params]) => rpc(method, ...params)))).length,
)
await step('sendAndWait', async () => {
  const { status, gasUsed } = await send('--value', '1', richest)
  return { status, gasUsed }
})
await step('deploy', async () => {
  const { status, contractAddress } = await send('--create', facts.probeBytecode)
  return { status, contractAddress }
})
await step('pendingNonce', async () => {
  const hash = await send('--async', '--value', '1', richest)
  const nonce = await cast(
    'nonce',
    '--block',
    'pending',
    await output(program, ['wallet', 'address', privateKey]),
  )
  await cast('receipt', String(hash), '--json')
  return nonce
})
await step('sendNonceTooLow', () => send('--nonce', '0', '--value', '1', richest))
await step('sendTooPoor', () => cast('publish', raw.tooPoor))
await step('sendTipAboveCap', () => cast('publish', raw.tipAboveCap))
// No blob transaction: it exceeds the maximum length of a command line argument.
