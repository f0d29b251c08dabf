import { facts, many } from './steps.mjs'

const { probe, calls, head, block, richest } = facts
export const above = head + 1000
const hex = (/** @type {number} */ number) => `0x${number.toString(16)}`

/**
 * The steps that are written alike for both versions of ethers. `shown` makes an object of ethers plain.
 *
 * @param {any} client
 */
export async function ethersSteps({ step, send, provider, wallet, contract, batching, shown }) {
  const sent = async (/** @type {object} */ fields) => (await wallet.sendTransaction(fields)).wait()

  await step('chainId', () => send('eth_chainId'))
  await step('blockNumber', () => provider.getBlockNumber())
  await step('balance', () => provider.getBalance(process.env.STEPS ? facts.stranger : richest))
  await step('nonce', () => provider.getTransactionCount(richest))
  await step('code', () => provider.getCode(facts.token))
  await step('call', () => provider.call({ to: probe, data: calls.value }))
  await step('callReverts', () => provider.call({ to: probe, data: calls.reverts }))
  await step('callPanics', () => provider.call({ to: probe, data: calls.panics }))
  await step('callCustomError', () => contract.refuses())
  await step('blockByNumber', async () => shown(await provider.getBlock(block.number)))
  await step('blockReceiptsAboveHead', () => send('eth_getBlockReceipts', [hex(above)]))
  await step('transaction', async () => shown(await provider.getTransaction(facts.transfer)))
  await step('receipt', async () => shown(await provider.getTransactionReceipt(facts.transfer)))
  await step('receiptMissing', async () => shown(await provider.getTransactionReceipt(facts.missing)))
  await step('logs', async () =>
    (await provider.getLogs({ address: facts.token, fromBlock: 0, toBlock: head })).map(shown),
  )
  await step('logsBeyondHead', () => provider.getLogs({ fromBlock: head, toBlock: above }))
  await step('logsInverted', () => provider.getLogs({ fromBlock: head, toBlock: 1 }))
  await step('feeHistory', () => send('eth_feeHistory', ['0x4', hex(block.number), [25, 75]]))
  await step('estimate', () => provider.estimateGas({ from: richest, to: facts.stranger, value: 1 }))
  await step('estimateReverts', () => provider.estimateGas({ from: richest, to: probe, data: calls.reverts }))
  await step('estimateOutOfGas', () => provider.estimateGas({ from: richest, to: probe, data: calls.burns }))
  await step('stateAboveHead', () => provider.getBalance(richest, above))
  await step('unknownMethod', () => send('quorate_nothing'))
  await step('sha3', () => send('web3_sha3', ['0x01']))
  await step('peerCount', () => send('net_peerCount'))
  await step('accessList', () =>
    send('eth_createAccessList', [{ from: richest, to: probe, data: calls.value }, 'latest']),
  )
  await step('proof', () => send('eth_getProof', [probe, [`0x${'0'.repeat(64)}`], hex(block.number)]))
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
}
