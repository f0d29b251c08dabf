import {
  type Address,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseEther,
  type SerializeTransactionFn,
  sha256,
  type TransactionSerializableEIP1559,
  toHex,
  toRlp,
  trim,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { demoAccount } from '../../../../demo/accounts.ts'
import artifacts from '../../../../demo/contracts/artifacts.json' with { type: 'json' }
import { demoToken, multicall3Address, tokenAbi } from '../../../../demo/history.ts'
import { callNode } from '../../../../demo/json-rpc.ts'
import { execute } from '../../../support/odd-tokens.ts'
import probe from '../contracts/probe.json' with { type: 'json' }

/** Facts about the chain for drivers: the contents of the file in FACTS. */
export interface Facts extends Awaited<ReturnType<typeof writeFacts>> {
  /** The chain itself, to mine and reorg with `anvil_*`. Compared results come only from RPC_URL. */
  readonly chainUrl: string
  /** Control port for the gateway's nodes, as in the demo; null when the driver uses the chain directly. */
  readonly controlUrl: string | null
}

const secondsBetweenBlocks = 12
/** Enough blocks for anvil's `finalized` (64 blocks back) to be above genesis. */
const quietBlocks = 70

/** Sets up a new chain with contracts and a short history. The history is deterministic, so chains with one genesis have equal hashes. */
export async function writeFacts(chainUrl: string, chainId: number) {
  const [owner, sender, other] = [0, 1, 2].map((index) => demoAccount(index).address) as [
    Address,
    Address,
    Address,
  ]
  await callNode(chainUrl, 'anvil_setBlockTimestampInterval', [secondsBetweenBlocks])
  await callNode(chainUrl, 'anvil_setCode', [multicall3Address, artifacts.Multicall3.deployedBytecode])
  const tokenBytecode = encodeDeployData({
    abi: tokenAbi,
    bytecode: artifacts.Token.bytecode as Hex,
    args: [demoToken.name, demoToken.symbol, demoToken.decimals, [owner, sender], demoToken.each],
  })
  const { contractAddress: token } = await execute(chainUrl, { from: owner, data: tokenBytecode })
  const probeBytecode = probe.bytecode as Hex
  const { contractAddress: probed } = await execute(chainUrl, { from: owner, data: probeBytecode })
  await callNode(chainUrl, 'anvil_mine', [toHex(quietBlocks), toHex(secondsBetweenBlocks)])
  await execute(chainUrl, { from: spender.address, to: other, value: toHex(parseEther('1')) })
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [sender, 25_000_000n] })
  const transfer = await execute(chainUrl, { from: owner, to: token, data })
  await callNode(chainUrl, 'anvil_mine', [toHex(4), toHex(secondsBetweenBlocks)])
  return {
    chainId,
    richest: owner,
    /** An empty address. */
    stranger: '0x00000000000000000000000000000000c0ffee00' as const,
    token,
    tokenBytecode,
    probe: probed,
    probeAbi: probe.abi as readonly unknown[],
    probeBytecode,
    /** Calldata for the probe contract. */
    calls: {
      value: '0x3fa4f245',
      reverts: '0x3bccbbc9',
      panics: '0xa1b4a9e2',
      refuses: '0xdf3c5c06',
      burns: '0xa1abd39b',
    },
    /** The number of the last block. */
    head: Number(await callNode(chainUrl, 'eth_blockNumber')),
    /** A block with one transfer of the token, and the hash of that transfer. */
    block: { number: Number(transfer.blockNumber), hash: transfer.blockHash },
    transfer: transfer.transactionHash,
    transferTopic: keccak256(toHex('Transfer(address,address,uint256)')),
    /** A hash of no object. */
    missing: `0x${'11'.repeat(32)}`,
    /** Signed transactions that a node without blobs refuses. */
    raw: await refusedTransactions(chainId, owner),
  }
}

/** Has sent one transaction before. */
const spender = demoAccount(8)
/** An empty account with a well-known key. */
const poor = privateKeyToAccount(`0x${'1'.padStart(64, '0')}`)

async function refusedTransactions(chainId: number, to: Address) {
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
  const fields = { chainId, to, value: 1n, gas: 21_000n, ...fees } as const
  const plain = { ...fields, type: 'eip1559', nonce: 0 } as const
  const tipAboveCap = { ...plain, nonce: 1, maxPriorityFeePerGas: 10n ** 11n }
  // One blob of zeros. Its commitment and proof are the point at infinity, so nothing must be computed.
  const infinity: Hex = `0xc0${'00'.repeat(47)}`
  return {
    nonceTooLow: await spender.signTransaction(plain),
    tooPoor: await poor.signTransaction(plain),
    tipAboveCap: await spender.signTransaction(tipAboveCap, { serializer: unchecked }),
    blob: await spender.signTransaction({
      ...fields,
      type: 'eip4844',
      nonce: 1,
      maxFeePerBlobGas: 10n ** 9n,
      blobVersionedHashes: [`0x01${sha256(infinity).slice(4)}`],
      sidecars: [{ blob: `0x${'00'.repeat(131_072)}`, commitment: infinity, proof: infinity }],
    }),
  }
}

/** EIP-1559 serialization without validation, because viem refuses a tip above the cap. */
const unchecked: SerializeTransactionFn<TransactionSerializableEIP1559> = (
  { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, to, value },
  signature,
) => {
  const number = (given: bigint | number = 0) => (BigInt(given) === 0n ? '0x' : toHex(given))
  const numbers = [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map((given) => number(given))
  const signed =
    signature === undefined ? [] : [number(signature.yParity), trim(signature.r), trim(signature.s)]
  return concatHex([
    '0x02',
    toRlp([...numbers, to ?? '0x', number(value), '0x', [], ...signed]),
  ]) as `0x02${string}`
}
