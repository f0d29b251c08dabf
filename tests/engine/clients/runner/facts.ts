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
export interface Facts {
  readonly chainId: number
  /** The chain itself, to mine and reorg with `anvil_*`. Compared results come only from RPC_URL. */
  readonly chainUrl: string
  /** Control port for the gateway's nodes, as in the demo; null when the driver uses the chain directly. */
  readonly controlUrl: string | null
  readonly richest: Address
  /** An empty address. */
  readonly stranger: Address
  readonly token: Address
  readonly tokenBytecode: Hex
  readonly probe: Address
  readonly probeAbi: readonly unknown[]
  readonly probeBytecode: Hex
  /** Calldata for the probe contract. */
  readonly calls: Readonly<Record<'value' | 'reverts' | 'panics' | 'refuses' | 'burns', Hex>>
  /** The number of the last block. */
  readonly head: number
  /** A block with one transfer of the token. */
  readonly block: { readonly number: number; readonly hash: Hex }
  /** The hash of that transfer. */
  readonly transfer: Hex
  readonly transferTopic: Hex
  /** A hash of no object. */
  readonly missing: Hex
  /** Signed transactions that a node without blobs refuses. */
  readonly raw: Readonly<Record<'nonceTooLow' | 'tooPoor' | 'tipAboveCap' | 'blob', Hex>>
}

const secondsBetweenBlocks = 12
/** Enough blocks for anvil's `finalized` (64 blocks back) to be above genesis. */
const quietBlocks = 70

/** Sets up a new chain with contracts and a short history. The history is deterministic, so chains with one genesis have equal hashes. */
export async function writeFacts(
  chainUrl: string,
  chainId: number,
): Promise<Omit<Facts, 'chainUrl' | 'controlUrl'>> {
  const [owner, sender, other] = [demoAccount(0), demoAccount(1), demoAccount(2)].map(
    ({ address }) => address,
  ) as [Address, Address, Address]
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
    stranger: '0x00000000000000000000000000000000c0ffee00',
    token,
    tokenBytecode,
    probe: probed,
    probeAbi: probe.abi,
    probeBytecode,
    calls: {
      value: '0x3fa4f245',
      reverts: '0x3bccbbc9',
      panics: '0xa1b4a9e2',
      refuses: '0xdf3c5c06',
      burns: '0xa1abd39b',
    },
    head: Number(await callNode(chainUrl, 'eth_blockNumber')),
    block: { number: Number(transfer.blockNumber), hash: transfer.blockHash },
    transfer: transfer.transactionHash,
    transferTopic: keccak256(toHex('Transfer(address,address,uint256)')),
    missing: `0x${'11'.repeat(32)}`,
    raw: await refusedTransactions(chainId, owner),
  }
}

/** Has sent one transaction before. */
const spender = demoAccount(8)
/** An empty account with a well-known key. */
const poor = privateKeyToAccount(`0x${'1'.padStart(64, '0')}`)

async function refusedTransactions(chainId: number, to: Address): Promise<Facts['raw']> {
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
  const plain = { type: 'eip1559', chainId, to, value: 1n, gas: 21_000n, nonce: 0, ...fees } as const
  return {
    nonceTooLow: await spender.signTransaction(plain),
    tooPoor: await poor.signTransaction(plain),
    tipAboveCap: await spender.signTransaction(
      { ...plain, nonce: 1, maxPriorityFeePerGas: 10n ** 11n },
      { serializer: unchecked },
    ),
    blob: await blobTransaction({ chainId, to, ...fees }),
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

/** One blob of zeros. Its commitment and proof are the point at infinity, so nothing must be computed. */
async function blobTransaction(fields: {
  chainId: number
  to: Address
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}): Promise<Hex> {
  const infinity: Hex = `0xc0${'00'.repeat(47)}`
  return spender.signTransaction({
    ...fields,
    type: 'eip4844',
    value: 1n,
    gas: 21_000n,
    nonce: 1,
    maxFeePerBlobGas: 10n ** 9n,
    blobVersionedHashes: [`0x01${sha256(infinity).slice(4)}`],
    sidecars: [{ blob: `0x${'00'.repeat(131_072)}`, commitment: infinity, proof: infinity }],
  })
}
