import {
  type Address,
  encodeFunctionData,
  formatEther,
  type Hex,
  parseAbi,
  type TransactionSerializableEIP1559,
  type TransactionSerializableEIP7702,
  toHex,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { callNode } from './gateway.ts'
import { fill } from './transaction.ts'
import { RpcError } from './wallet-error.ts'

/** Where the local chains have the code of `demo/contracts/batch.sol`. */
const batchAddress = '0xBA7C000000000000000000000000000000007702'
const abi = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'function execute(Call[] calls) payable',
])

/** Where nodes do not agree on an estimate. */
const gasPerCall = 300_000n

/** Several calls as requested by a page (EIP-5792). */
export interface BatchWish {
  readonly version?: string
  readonly id?: string
  readonly from?: Address
  readonly chainId?: Hex
  readonly calls: readonly { readonly to?: Address; readonly value?: Hex; readonly data?: Hex }[]
}

/** Throws the error of EIP-5792 for what the wallet does not do. */
export function checkBatch(
  { version, from, chainId, calls }: BatchWish,
  is: { from: Address; chainId: number },
): void {
  if (version !== '2.0.0') throw new RpcError(-32602, 'Only version 2.0.0 of wallet_sendCalls is known.')
  if (from?.toLowerCase() !== is.from.toLowerCase()) throw new RpcError(4100, 'Not the account of this site.')
  if (Number(chainId) !== is.chainId) throw new RpcError(5710, 'The wallet is on another network.')
  if (!Array.isArray(calls) || calls.length === 0 || calls.some(({ to }) => to === undefined))
    throw new RpcError(-32602, 'The calls are malformed.')
}

/** Whether the account has the code already that carries out several calls. */
export async function isUpgraded(chainId: number, account: Address): Promise<boolean> {
  const code = (await callNode(chainId, 'eth_getCode', [account, 'latest'])) as string
  return code.toLowerCase() === `0xef0100${batchAddress.slice(2).toLowerCase()}`
}

/** One transaction to the account itself, which first gets the code for it (EIP-7702). */
export async function fillBatch(
  chainId: number,
  account: PrivateKeyAccount,
  calls: BatchWish['calls'],
): Promise<TransactionSerializableEIP1559 | TransactionSerializableEIP7702> {
  const { address } = account
  const list = calls.map(({ to = address, value = '0x0', data = '0x' }) => ({
    to,
    value: BigInt(value),
    data,
  }))
  const data = encodeFunctionData({ abi, functionName: 'execute', args: [list] })
  const nonce = Number(await callNode(chainId, 'eth_getTransactionCount', [address, 'pending']))
  const isNew = !(await isUpgraded(chainId, address))
  const authorizationList = isNew
    ? [await account.signAuthorization({ address: batchAddress, chainId, nonce: nonce + 1 })]
    : []
  const wire = authorizationList.map((one) => ({
    address: one.address,
    chainId: toHex(one.chainId),
    nonce: toHex(one.nonce),
    r: one.r,
    s: one.s,
    yParity: toHex(one.yParity ?? 0),
  }))
  const call = { from: address, to: address, data, ...(isNew && { authorizationList: wire }) }
  const gas = await callNode(chainId, 'eth_estimateGas', [call]).then(
    (estimate) => BigInt(estimate as Hex),
    // As wallets do: the page has simulated the calls, and what is not used is not paid.
    () => gasPerCall * BigInt(calls.length + 1),
  )
  const filled = await fill(chainId, address, {
    to: address,
    data,
    nonce: toHex(nonce),
    gas: toHex((gas * 6n) / 5n),
  })
  return isNew ? { ...filled, type: 'eip7702', authorizationList } : filled
}

/** The lines to confirm. */
export function describeBatch(
  calls: BatchWish['calls'],
  { gas = 0n, maxFeePerGas = 0n, ...rest }: Awaited<ReturnType<typeof fillBatch>>,
): readonly (readonly [string, string])[] {
  return [
    ...calls.map(({ to = '', value = '0x0', data = '0x' }, index) => {
      const bytes = data === '0x' ? '' : `, data ${data.slice(0, 18)}…`
      return [`Call ${index + 1}`, `${to}\n${formatEther(BigInt(value))}${bytes}`] as const
    }),
    ...('authorizationList' in rest
      ? ([['Your account', 'Gets code for several calls at once']] as const)
      : []),
    ['Fee, at most', formatEther(gas * maxFeePerGas)],
  ]
}

/** What became of several calls (EIP-5792). */
export async function statusOfBatch(
  id: string,
  { hash, chainId }: { hash: Hex; chainId: number },
): Promise<object> {
  const receipt = (await callNode(chainId, 'eth_getTransactionReceipt', [hash])) as Record<
    string,
    unknown
  > | null
  const status = receipt === null ? 100 : receipt.status === '0x1' ? 200 : 500
  return {
    version: '2.0.0',
    id,
    chainId: toHex(chainId),
    atomic: true,
    status,
    ...(receipt && { receipts: [receipt] }),
  }
}
