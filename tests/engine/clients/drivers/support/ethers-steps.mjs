import { facts, many } from './steps.mjs'

const { probe, calls, head, block, richest } = facts
export const above = head + 1000
const hex = (/** @type {number} */ number) => `0x${number.toString(16)}`

/**
 * The steps that are written alike for both versions of ethers. `shown` makes an object of ethers plain.
 *
 * @param {any} client
 */
export function ethersSteps({ send, provider, wallet, contract, batching, shown }) {
  const sent = async (/** @type {object} */ fields) => (await wallet.sendTransaction(fields)).wait()

  return {
    chainId: () => send('eth_chainId'),
    blockNumber: () => provider.getBlockNumber(),
    balance: () => provider.getBalance(process.env.STEPS ? facts.stranger : richest),
    nonce: () => provider.getTransactionCount(richest),
    code: () => provider.getCode(facts.token),
    call: () => provider.call({ to: probe, data: calls.value }),
    callReverts: () => provider.call({ to: probe, data: calls.reverts }),
    callPanics: () => provider.call({ to: probe, data: calls.panics }),
    callCustomError: () => contract.refuses(),
    blockByNumber: async () => shown(await provider.getBlock(block.number)),
    blockReceiptsAboveHead: () => send('eth_getBlockReceipts', [hex(above)]),
    transaction: async () => shown(await provider.getTransaction(facts.transfer)),
    receipt: async () => shown(await provider.getTransactionReceipt(facts.transfer)),
    receiptMissing: async () => shown(await provider.getTransactionReceipt(facts.missing)),
    logs: async () =>
      (await provider.getLogs({ address: facts.token, fromBlock: 0, toBlock: head })).map(shown),
    logsBeyondHead: () => provider.getLogs({ fromBlock: head, toBlock: above }),
    logsInverted: () => provider.getLogs({ fromBlock: head, toBlock: 1 }),
    feeHistory: () => send('eth_feeHistory', ['0x4', hex(block.number), [25, 75]]),
    estimate: () => provider.estimateGas({ from: richest, to: facts.stranger, value: 1 }),
    estimateReverts: () => provider.estimateGas({ from: richest, to: probe, data: calls.reverts }),
    estimateOutOfGas: () => provider.estimateGas({ from: richest, to: probe, data: calls.burns }),
    stateAboveHead: () => provider.getBalance(richest, above),
    unknownMethod: () => send('quorate_nothing'),
    sha3: () => send('web3_sha3', ['0x01']),
    peerCount: () => send('net_peerCount'),
    accessList: () =>
      send('eth_createAccessList', [{ from: richest, to: probe, data: calls.value }, 'latest']),
    proof: () => send('eth_getProof', [probe, [`0x${'0'.repeat(64)}`], hex(block.number)]),
    batch: async () => (await Promise.all(many.map((address) => batching.getBalance(address)))).length,
    sendAndWait: async () => {
      const { status, gasUsed } = await sent({ to: richest, value: 1 })
      return { status, gasUsed }
    },
    deploy: async () => {
      const { status, contractAddress } = await sent({ data: facts.probeBytecode })
      return { status, contractAddress }
    },
    pendingNonce: async () => {
      const transaction = await wallet.sendTransaction({ to: richest, value: 1 })
      const nonce = await provider.getTransactionCount(wallet.address, 'pending')
      await transaction.wait()
      return nonce
    },
    filter: async () => {
      const filter = await send('eth_newBlockFilter')
      await sent({ to: richest, value: 1 })
      return (await send('eth_getFilterChanges', [filter])).length
    },
    sendNonceTooLow: () => wallet.sendTransaction({ to: richest, value: 1, nonce: 0, gasLimit: 21_000 }),
  }
}
