import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainId, does, facts, many, privateKey, url } from '../support/steps.mjs'

const chain = defineChain({
  id: chainId,
  name: 'Tried',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [url] } },
})
const transport = http(url)
const client = createPublicClient({ chain, transport, pollingInterval: 200 })
const account = privateKeyToAccount(privateKey)
const wallet = createWalletClient({ account, chain, transport })
const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'
const { probe, calls, head, block, richest } = facts
const above = BigInt(head + 1000)
const blockNumber = BigInt(block.number)
const step = (name, act) => does(name, act, described)

/** The class of the thrown error, and the code of the innermost error with one. */
function described(thrown) {
  let code
  for (let error = thrown; error; error = error.cause) code = error.code ?? code
  const details =
    thrown.details && !thrown.shortMessage?.includes(thrown.details) ? `: ${thrown.details}` : ''
  return {
    type: thrown.name,
    code: code ?? null,
    message: `${thrown.shortMessage ?? thrown.message}${details}`,
  }
}

const reading = (data) => () => client.call({ to: probe, data })
const sent = async (fields) => {
  const hash = await wallet.sendTransaction(fields)
  return client.waitForTransactionReceipt({ hash })
}

await step('chainId', () => client.getChainId())
await step('blockNumber', () => client.getBlockNumber())
await step('balance', () => client.getBalance({ address: process.env.STEPS ? facts.stranger : richest }))
await step('nonce', () => client.getTransactionCount({ address: richest }))
await step('code', () => client.getCode({ address: facts.token }))
await step('storage', () => client.getStorageAt({ address: probe, slot: '0x0' }))
await step('call', reading(calls.value))
await step('callReverts', reading(calls.reverts))
await step('callPanics', reading(calls.panics))
await step('callCustomError', () =>
  client.readContract({ address: probe, abi: facts.probeAbi, functionName: 'refuses' }),
)
await step('blockByNumber', () => client.getBlock({ blockNumber }))
await step('blockByHash', () => client.getBlock({ blockHash: block.hash, includeTransactions: true }))
await step('blockAboveHead', () => client.getBlock({ blockNumber: above }))
await step('blockReceiptsAboveHead', () => client.getBlockReceipts({ blockNumber: above }))
await step('transaction', () => client.getTransaction({ hash: facts.transfer }))
await step('transactionMissing', () => client.getTransaction({ hash: facts.missing }))
await step('receipt', () => client.getTransactionReceipt({ hash: facts.transfer }))
await step('receiptMissing', () => client.getTransactionReceipt({ hash: facts.missing }))
await step('logs', () => client.getLogs({ address: facts.token, fromBlock: 0n, toBlock: BigInt(head) }))
await step('logsBeyondHead', () => client.getLogs({ fromBlock: BigInt(head), toBlock: above }))
await step('logsInverted', () => client.getLogs({ fromBlock: BigInt(head), toBlock: 1n }))
await step('feeHistory', () =>
  client.getFeeHistory({ blockCount: 4, rewardPercentiles: [25, 75], blockNumber }),
)
await step('feeHistoryLong', () => client.getFeeHistory({ blockCount: 1025, rewardPercentiles: [] }))
await step('logsUnknownBlock', () => client.getLogs({ blockHash: facts.missing }))
await step('gasPrice', () => client.getGasPrice())
await step('priorityFee', () => client.estimateMaxPriorityFeePerGas())
await step('estimate', () => client.estimateGas({ account: richest, to: facts.stranger, value: 1n }))
await step('estimateReverts', () => client.estimateGas({ account: richest, to: probe, data: calls.reverts }))
await step('estimateOutOfGas', () => client.estimateGas({ account: richest, to: probe, data: calls.burns }))
await step('stateAboveHead', () => client.getBalance({ address: richest, blockNumber: above }))
await step('unknownMethod', () => client.request({ method: 'quorate_nothing' }))
await step('accounts', () => wallet.getAddresses())
await step('sha3', () => client.request({ method: 'web3_sha3', params: ['0x01'] }))
await step('peerCount', () => client.request({ method: 'net_peerCount' }))
await step('accessList', () => client.createAccessList({ account: richest, to: probe, data: calls.value }))
await step('proof', () =>
  client.getProof({ address: probe, storageKeys: [`0x${'0'.repeat(64)}`], blockNumber }),
)
await step('simulate', () =>
  client
    .simulateCalls({ account: richest, calls: [{ to: probe, data: calls.value }] })
    .then(({ results }) => results),
)
await step('multicall', () =>
  client
    .multicall({
      multicallAddress,
      contracts: ['value', 'reverts', 'refuses'].map((functionName) => ({
        address: probe,
        abi: facts.probeAbi,
        functionName,
      })),
    })
    .then((results) => results.map(({ status, result }) => ({ status, result }))),
)
// As wallets made of contracts are verified before they are deployed: a call without `to`.
await step('deployless', () => client.call({ code: facts.probeBytecode, data: calls.value }))
await step('batchMulticall', () => {
  const contracts = { multicall3: { address: multicallAddress } }
  const batching = createPublicClient({
    chain: { ...chain, contracts },
    transport,
    batch: { multicall: true },
  })
  const value = { address: probe, abi: facts.probeAbi, functionName: 'value' }
  return Promise.all([batching.readContract(value), batching.readContract(value)])
})
await step('batch', async () => {
  const batching = createPublicClient({ chain, transport: http(url, { batch: { batchSize: 1000 } }) })
  const balances = await Promise.all(many.map((address) => batching.getBalance({ address })))
  return balances.length
})
await step('sendAndWait', async () => {
  const { status, gasUsed } = await sent({ to: richest, value: 1n })
  return { status, gasUsed }
})
await step('deploy', async () => {
  const { status, contractAddress } = await sent({ data: facts.probeBytecode })
  return { status, contractAddress }
})
await step('pendingNonce', async () => {
  const hash = await wallet.sendTransaction({ to: richest, value: 1n })
  const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  await client.waitForTransactionReceipt({ hash })
  return nonce
})
await step('filter', async () => {
  const filter = await client.createBlockFilter()
  await sent({ to: richest, value: 1n })
  return (await client.getFilterChanges({ filter })).length
})
await step('sendNonceTooLow', () =>
  wallet.sendTransaction({ to: richest, value: 1n, nonce: 0, gas: 21_000n }),
)
await step('sendTooPoor', () => client.sendRawTransaction({ serializedTransaction: facts.raw.tooPoor }))
await step('sendTipAboveCap', () =>
  client.sendRawTransaction({ serializedTransaction: facts.raw.tipAboveCap }),
)
await step('blobTransactionRefused', () =>
  client.sendRawTransaction({ serializedTransaction: facts.raw.blob }),
)
