import {
  type Abi,
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  type PublicClient,
  parseGwei,
} from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { expect } from 'vitest'
import { demoAccount } from '../../../../demo/accounts.ts'
import { tokenAbi } from '../../../../demo/history.ts'
import { chain, chainId, unusedAddress } from './site.ts'

/** Past objects that both the chain and the gateway can read. */
export interface Past {
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly transfer: Hex
  readonly token: Address
}
/** An action of a client. */
type Read = (client: PublicClient, past: Past) => Promise<unknown>
/** The same, checked against the chain itself. */
type Now = (
  client: PublicClient,
  against: { readonly bare: PublicClient; readonly past: Past },
) => Promise<unknown>

const richest = demoAccount(0)
export const contract = ({ token }: Past) => ({ address: token, abi: tokenAbi }) as const
const transferOf = (value: bigint) =>
  ({ functionName: 'transfer', args: [unusedAddress(1), value], account: richest.address }) as const

/** Reads of the past: the gateway's answers equal the chain's in every field. */
export const alike: Readonly<Record<string, Read>> = {
  getChainId: (client) => client.getChainId(),
  getBlock: (client, { blockNumber }) => client.getBlock({ blockNumber }),
  'getBlock by hash, with transactions': (client, { blockHash }) =>
    client.getBlock({ blockHash, includeTransactions: true }),
  getBlockReceipts: (client, { blockNumber }) => client.getBlockReceipts({ blockNumber }),
  getBlockTransactionCount: (client, { blockHash }) => client.getBlockTransactionCount({ blockHash }),
  getTransaction: (client, { transfer }) => client.getTransaction({ hash: transfer }),
  'getTransaction by block and index': (client, { blockNumber }) =>
    client.getTransaction({ blockNumber, index: 0 }),
  getTransactionReceipt: (client, { transfer }) => client.getTransactionReceipt({ hash: transfer }),
  getBalance: (client, { blockNumber }) => client.getBalance({ address: richest.address, blockNumber }),
  getTransactionCount: (client, { blockNumber }) =>
    client.getTransactionCount({ address: richest.address, blockNumber }),
  getCode: (client, { token, blockNumber }) => client.getCode({ address: token, blockNumber }),
  getBytecode: (client, { token, blockNumber }) => client.getBytecode({ address: token, blockNumber }),
  getDelegation: (client, { blockNumber }) => client.getDelegation({ address: richest.address, blockNumber }),
  getStorageAt: (client, { token, blockNumber }) =>
    client.getStorageAt({ address: token, slot: '0x2', blockNumber }),
  getProof: (client, { token, blockNumber }) =>
    client.getProof({ address: token, storageKeys: [`0x${'2'.padStart(64, '0')}`], blockNumber }),
  call: (client, { token, blockNumber }) =>
    client.call({
      to: token,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'totalSupply' }),
      blockNumber,
    }),
  readContract: (client, at) =>
    client.readContract({
      ...contract(at),
      functionName: 'balanceOf',
      args: [richest.address],
      blockNumber: at.blockNumber,
    }),
  multicall: (client, at) =>
    client.multicall({
      contracts: [
        { ...contract(at), functionName: 'name' },
        { ...contract(at), functionName: 'decimals' },
        { ...contract(at), functionName: 'balanceOf', args: [richest.address] },
        { ...contract(at), functionName: 'transferFrom', args: [unusedAddress(1), unusedAddress(2), 1n] },
      ],
      blockNumber: at.blockNumber,
    }),
  simulateContract: (client, at) =>
    client.simulateContract({ ...contract(at), ...transferOf(7n), blockNumber: at.blockNumber }),
  simulate: (client, { blockNumber }) =>
    client.simulate({
      blocks: [{ calls: [{ to: unusedAddress(1), account: richest.address, value: 1n }] }],
      blockNumber,
    }),
  simulateBlocks: (client, { blockNumber }) =>
    client.simulateBlocks({
      blocks: [{ calls: [{ to: unusedAddress(1), account: richest.address, value: 1n }] }],
      blockNumber,
    }),
  simulateCalls: (client, { token, blockNumber }) =>
    client.simulateCalls({
      account: richest.address,
      calls: [{ to: token, abi: tokenAbi as Abi, functionName: 'transfer', args: [unusedAddress(1), 1n] }],
      blockNumber,
    }),
  createAccessList: (client, at) =>
    client.createAccessList({
      to: at.token,
      data: encodeFunctionData({ abi: tokenAbi, ...transferOf(7n) }),
      account: richest.address,
      blockNumber: at.blockNumber,
    }),
  estimateGas: (client, { blockNumber }) =>
    client.estimateGas({ to: unusedAddress(1), value: 1n, account: richest.address, blockNumber }),
  estimateContractGas: (client, at) =>
    client.estimateContractGas({ ...contract(at), ...transferOf(7n), blockNumber: at.blockNumber }),
  // Ratios are agreed on and returned to six places. The last base fee is that of the following block; anvil uses its own next block.
  getFeeHistory: async (client, { blockNumber }) => {
    const history = await client.getFeeHistory({ blockCount: 4, rewardPercentiles: [25, 75], blockNumber })
    return {
      ...history,
      baseFeePerGas: history.baseFeePerGas.slice(0, -1),
      gasUsedRatio: history.gasUsedRatio.map((ratio) => Number(ratio.toFixed(6))),
    }
  },
  getLogs: (client, { token, blockNumber }) =>
    client.getLogs({ address: token, fromBlock: 0n, toBlock: blockNumber }),
  'getLogs of one block': (client, { blockHash }) => client.getLogs({ blockHash }),
  getContractEvents: (client, at) =>
    client.getContractEvents({
      ...contract(at),
      eventName: 'Transfer',
      args: { from: richest.address },
      fromBlock: 0n,
      toBlock: at.blockNumber,
    }),
  ...verifications(),
}

/** Reads of the current state cannot be compared with a second read, so they are only checked for plausibility. */
export const now: Readonly<Record<string, Now>> = {
  getBlockNumber: async (client, { bare }) => {
    const block = await client.getBlock()
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBeGreaterThanOrEqual(block.number)
    expect(await bare.getBlock({ blockNumber: block.number })).toMatchObject({ hash: block.hash })
  },
  'getBlock safe and finalized': async (client, { bare }) => {
    const [finalized, safe, latest] = [
      await client.getBlock({ blockTag: 'finalized' }),
      await client.getBlock({ blockTag: 'safe' }),
      await client.getBlock({ blockTag: 'latest' }),
    ]
    expect(finalized.number).toBeLessThan(safe.number)
    expect(safe.number).toBeLessThan(latest.number)
    expect((await bare.getBlock({ blockNumber: safe.number })).hash).toBe(safe.hash)
  },
  getGasPrice: async (client) => expect(await client.getGasPrice()).toBeGreaterThan(0n),
  estimateFeesPerGas: async (client) => {
    const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
    expect(maxPriorityFeePerGas).toBe(await client.estimateMaxPriorityFeePerGas())
    expect(maxFeePerGas).toBeGreaterThan(maxPriorityFeePerGas)
    expect(maxFeePerGas).toBeLessThan(parseGwei('10'))
  },
  // Arbitrum's sequencer accepts no tips.
  estimateMaxPriorityFeePerGas: async (client) =>
    expect(await client.estimateMaxPriorityFeePerGas()).toBe(0n),
  getBlobBaseFee: async (client) => expect(await client.getBlobBaseFee()).toBe(1n),
  'getTransactionCount pending': async (client, { bare }) =>
    expect(await client.getTransactionCount({ address: richest.address, blockTag: 'pending' })).toBe(
      await bare.getTransactionCount({ address: richest.address }),
    ),
  getTransactionConfirmations: async (client, { past }) => {
    const confirmations = await client.getTransactionConfirmations({ hash: past.transfer })
    expect(confirmations).toBeGreaterThan(1n)
  },
  prepareTransactionRequest: async (client) => {
    const request = await client.prepareTransactionRequest({
      account: richest,
      to: unusedAddress(1),
      value: 1n,
      chain,
    })
    expect(request).toMatchObject({ chainId, gas: 21000n, type: 'eip1559' })
  },
}

/** Unsupported methods have the error of geth, so that viem throws the same as for any node without them. */
export const absent: Readonly<Record<string, Now>> = {
  fillTransaction: (client) =>
    client.fillTransaction({ account: richest.address, to: unusedAddress(1), chain }),
  getRawTransaction: (client, { past }) => client.getRawTransaction({ hash: past.transfer }),
}

/** Actions covered by viem-live.test.ts. */
export const elsewhere = [
  'sendRawTransactionSync',
  ...[
    'createBlockFilter',
    'createContractEventFilter',
    'createEventFilter',
    'createPendingTransactionFilter',
    'getFilterChanges',
    'getFilterLogs',
  ],
  ...['uninstallFilter', 'sendRawTransaction', 'waitForTransactionReceipt'],
  ...['watchBlockNumber', 'watchBlocks', 'watchContractEvent', 'watchEvent'],
]

/** Actions based on other calls, on contracts that a local chain does not have, or on unsupported methods. */
export const composed = [
  ...['getEip712Domain', 'getEnsAddress', 'getEnsAvatar', 'getEnsName', 'getEnsResolver', 'getEnsText'],
  ...['getStorageValues', 'watchBlockHeaders', 'watchPendingTransactions'],
]

/** Signatures are verified by a deployless contract call, as for contract wallets. */
function verifications(): Readonly<Record<string, Read>> {
  const message = 'agreed'
  const siwe = createSiweMessage({
    address: richest.address,
    chainId,
    domain: 'app.example',
    nonce: 'agreedagreed',
    uri: 'https://app.example',
    version: '1',
  })
  const typed = {
    domain: { name: 'Quorate', chainId },
    types: { Word: [{ name: 'text', type: 'string' }] },
    primaryType: 'Word',
    message: { text: message },
  } as const
  const both = async (verify: (address: Address) => Promise<boolean>) => {
    const verdicts = [await verify(richest.address), await verify(unusedAddress(1))]
    expect(verdicts).toEqual([true, false])
    return verdicts
  }
  return {
    verifyMessage: async (client) => {
      const signature = await richest.signMessage({ message })
      return both((address) => client.verifyMessage({ address, message, signature }))
    },
    verifyTypedData: async (client) => {
      const signature = await richest.signTypedData(typed)
      return both((address) => client.verifyTypedData({ address, signature, ...typed }))
    },
    verifyHash: async (client) => {
      const hash = keccak256('0x01')
      const signature = await richest.sign({ hash })
      return both((address) => client.verifyHash({ address, hash, signature }))
    },
    verifySiweMessage: async (client) => {
      const signature = await richest.signMessage({ message: siwe })
      return client.verifySiweMessage({ message: siwe, signature })
    },
  }
}
