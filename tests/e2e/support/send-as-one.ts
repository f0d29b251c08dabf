import {
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  type Transport,
  toHex,
  type WalletClient,
} from 'viem'
import { batchAddress } from '../../../demo/history.ts'
import { callNode } from '../../../demo/json-rpc.ts'

/** A call as wallets are given it. */
export interface GivenCall {
  readonly to: Hex
  readonly value?: string
  readonly data?: Hex
}

const abi = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'function execute(Call[] calls) payable',
])

/** In one transaction to the account itself, which gets the code for it (EIP-7702). */
export async function sendAsOne(
  wallet: WalletClient<Transport, undefined, LocalAccount>,
  calls: readonly GivenCall[],
): Promise<Hex> {
  const authorization = await wallet.signAuthorization({ contractAddress: batchAddress, executor: 'self' })
  const list = calls.map(({ to, value = '0x0', data = '0x' }) => ({ to, value: BigInt(value), data }))
  const data = encodeFunctionData({ abi, args: [list] })
  const to = wallet.account.address
  return wallet.sendTransaction({ chain: null, to, data, authorizationList: [authorization] })
}

/** Where a wallet whose ids are hashes stands with several calls (EIP-5792). */
export async function statusOfOne(url: string, { hash, chainId }: { hash: Hex; chainId: number }) {
  const receipt = await callNode<{ status: Hex } | null>(url, 'eth_getTransactionReceipt', [hash])
  const status = receipt === null ? 100 : receipt.status === '0x1' ? 200 : 500
  return {
    version: '2.0.0',
    id: hash,
    chainId: toHex(chainId),
    atomic: true,
    status,
    ...(receipt && { receipts: [receipt] }),
  }
}
