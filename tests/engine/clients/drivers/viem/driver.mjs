import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainId, doAll, facts, many, privateKey, url } from '../support/steps.mjs'

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

const acts = {
  chainId: () => client.getChainId(),
  blockNumber: () => client.getBlockNumber(),
  balance: () => client.getBalance({ address: process.env.STEPS ? facts.stranger : richest }),
  nonce: () => client.getTransactionCount({ address: richest }),
  code: () => client.getCode({ address: facts.token }),
  storage: () => client.getStorageAt({ address: probe, slot: '0x0' }),
  call: reading(calls.value),
  callReverts: reading(calls.reverts),
  callPanics: reading(calls.panics),
  callCustomError: () =>
    client.readContract({ address: probe, abi: facts.probeAbi, functionName: 'refuses' }),
  blockByNumber: () => client.getBlock({ blockNumber }),
  blockByHash: () => client.getBlock({ blockHash: block.hash, includeTransactions: true }),
  blockAboveHead: () => client.getBlock({ blockNumber: above }),
  blockReceiptsAboveHead: () => client.getBlockReceipts({ blockNumber: above }),
  transaction: () => client.getTransaction({ hash: facts.transfer }),
  transactionMissing: () => client.getTransaction({ hash: facts.missing }),
  receipt: () => client.getTransactionReceipt({ hash: facts.transfer }),
  receiptMissing: () => client.getTransactionReceipt({ hash: facts.missing }),
  logs: () => client.getLogs({ address: facts.token, fromBlock: 0n, toBlock: BigInt(head) }),
  logsBeyondHead: () => client.getLogs({ fromBlock: BigInt(head), toBlock: above }),
  logsInverted: () => client.getLogs({ fromBlock: BigInt(head), toBlock: 1n }),
  feeHistory: () => client.getFeeHistory({ blockCount: 4, rewardPercentiles: [25, 75], blockNumber }),
  feeHistoryLong: () => client.getFeeHistory({ blockCount: 1025, rewardPercentiles: [] }),
  logsUnknownBlock: () => client.getLogs({ blockHash: facts.missing }),
  gasPrice: () => client.getGasPrice(),
  priorityFee: () => client.estimateMaxPriorityFeePerGas(),
  estimate: () => client.estimateGas({ account: richest, to: facts.stranger, value: 1n }),
  estimateReverts: () => client.estimateGas({ account: richest, to: probe, data: calls.reverts }),
  estimateOutOfGas: () => client.estimateGas({ account: richest, to: probe, data: calls.burns }),
  stateAboveHead: () => client.getBalance({ address: richest, blockNumber: above }),
  unknownMethod: () => client.request({ method: 'quorate_nothing' }),
  accounts: () => wallet.getAddresses(),
  sha3: () => client.request({ method: 'web3_sha3', params: ['0x01'] }),
  peerCount: () => client.request({ method: 'net_peerCount' }),
  accessList: () => client.createAccessList({ account: richest, to: probe, data: calls.value }),
  proof: () => client.getProof({ address: probe, storageKeys: [`0x${'0'.repeat(64)}`], blockNumber }),
  simulate: () =>
    client
      .simulateCalls({ account: richest, calls: [{ to: probe, data: calls.value }] })
      .then(({ results }) => results),
  multicall: () =>
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
  // As wallets made of contracts are verified before they are deployed: a call without `to`.
  deployless: () => client.call({ code: facts.probeBytecode, data: calls.value }),
  batchMulticall: () => {
    const contracts = { multicall3: { address: multicallAddress } }
    const batching = createPublicClient({
      chain: { ...chain, contracts },
      transport,
      batch: { multicall: true },
    })
    const value = { address: probe, abi: facts.probeAbi, functionName: 'value' }
    return Promise.all([batching.readContract(value), batching.readContract(value)])
  },
  batch: async () => {
    const batching = createPublicClient({ chain, transport: http(url, { batch: { batchSize: 1000 } }) })
    const balances = await Promise.all(many.map((address) => batching.getBalance({ address })))
    return balances.length
  },
  sendAndWait: async () => {
    const { status, gasUsed } = await sent({ to: richest, value: 1n })
    return { status, gasUsed }
  },
  deploy: async () => {
    const { status, contractAddress } = await sent({ data: facts.probeBytecode })
    return { status, contractAddress }
  },
  pendingNonce: async () => {
    const hash = await wallet.sendTransaction({ to: richest, value: 1n })
    const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    await client.waitForTransactionReceipt({ hash })
    return nonce
  },
  filter: async () => {
    const filter = await client.createBlockFilter()
    await sent({ to: richest, value: 1n })
    return (await client.getFilterChanges({ filter })).length
  },
  sendNonceTooLow: () => wallet.sendTransaction({ to: richest, value: 1n, nonce: 0, gas: 21_000n }),
  sendTooPoor: () => client.sendRawTransaction({ serializedTransaction: facts.raw.tooPoor }),
  sendTipAboveCap: () => client.sendRawTransaction({ serializedTransaction: facts.raw.tipAboveCap }),
  blobTransactionRefused: () => client.sendRawTransaction({ serializedTransaction: facts.raw.blob }),
}
await doAll(acts, described)
