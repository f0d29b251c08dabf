import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseEther,
  toHex,
} from 'viem'
import artifacts from './contracts/artifacts.json' with { type: 'json' }
import { callNode } from './json-rpc.ts'

/** The address of Multicall3 on public chains, where libraries expect it. */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Where the demo wallet finds the code that lets its account carry out several calls as one. */
export const batchAddress: Address = '0xBA7C000000000000000000000000000000007702'

/** The ABI of the demo token: ERC-20 and `faucet`. */
export const tokenAbi = [
  ...erc20Abi,
  ...parseAbi([
    'constructor(string name, string symbol, uint8 decimals, address[] holders, uint256 each)',
    'function faucet()',
    'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
    'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  ]),
] as const

/** The facts of the demo token. Six decimals expose code that assumes eighteen. */
export const demoToken = {
  name: 'Demo Dollar',
  symbol: 'DUSD',
  decimals: 6,
  each: 1_000_000_000_000n,
} as const

/** Enough blocks for anvil's `finalized` (64 blocks back) to be above genesis. */
const quietBlocks = 24

const stepOf = (blockTimeS: number) => Math.max(1, Math.round(blockTimeS))

/** How far back a history begins. */
export const historyS = (blockTimeS: number) => stepOf(blockTimeS) * (quietBlocks * 4 + 3)

/** Sets up a new chain: contracts, token holders and about a hundred blocks. Returns the token. */
export async function writeHistory(url: string, blockTimeS: number): Promise<Address> {
  const mine = (blocks: number) => callNode(url, 'anvil_mine', [toHex(blocks), toHex(stepOf(blockTimeS))])
  const accounts = await callNode<readonly Address[]>(url, 'eth_accounts')
  const account = (index: number) => accounts[index % accounts.length] as Address

  await callNode(url, 'anvil_setCode', [multicall3Address, artifacts.Multicall3.deployedBytecode])
  await callNode(url, 'anvil_setCode', [batchAddress, artifacts.Batch.deployedBytecode])
  await callNode(url, 'evm_setNextBlockTimestamp', [
    toHex(Math.floor(Date.now() / 1000) - historyS(blockTimeS)),
  ])
  const deployed = await send(url, {
    from: account(0),
    data: encodeDeployData({
      abi: tokenAbi,
      bytecode: artifacts.Token.bytecode as Hex,
      args: [demoToken.name, demoToken.symbol, demoToken.decimals, accounts, demoToken.each],
    }),
  })
  await mine(quietBlocks)
  const receipt = await callNode<{ contractAddress: Address }>(url, 'eth_getTransactionReceipt', [deployed])
  const token = receipt.contractAddress

  for (const round of [1, 2, 3]) {
    await send(url, {
      from: account(round),
      to: account(round + 1),
      value: toHex(parseEther('1') * BigInt(round)),
    })
    await send(url, {
      from: account(0),
      to: token,
      data: transferTo(account(round), 25_000_000n * BigInt(round)),
    })
    await send(url, { from: account(round + 3), to: token, data: transferTo(account(0), 7_500_000n) })
    await mine(1)
    await mine(quietBlocks)
  }
  return token
}

function transferTo(to: Address, value: bigint): Hex {
  return encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, value] })
}

function send(url: string, transaction: Record<string, string>): Promise<Hex> {
  return callNode<Hex>(url, 'eth_sendTransaction', [transaction])
}
