import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseEther,
  toHex,
} from 'viem'
import { ask } from './ask.ts'
import artifacts from './contracts/artifacts.json' with { type: 'json' }

/** Where every public chain has Multicall3, and where libraries look for it. */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** What the demo token can do; `faucet` is ours, the rest is ERC-20. */
export const tokenAbi = parseAbi([
  'constructor(string name, string symbol, uint8 decimals, address[] holders, uint256 each)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function faucet()',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'error InsufficientBalance(address from, uint256 balance, uint256 needed)',
  'error InsufficientAllowance(address spender, uint256 allowed, uint256 needed)',
])

/** The demo token's facts; six decimals, so that whoever assumes eighteen is found out. */
export const demoToken = {
  name: 'Demo Dollar',
  symbol: 'DUSD',
  decimals: 6,
  each: 1_000_000_000_000n,
} as const

/** Deep enough that anvil's `finalized` (64 blocks back) has left genesis. */
const quietBlocks = 24

/** Gives a fresh chain its contracts, its token holders and a past of about a hundred blocks; returns the token. */
export async function writeHistory(url: string, blockTimeS: number): Promise<Address> {
  const stepS = Math.max(1, Math.round(blockTimeS))
  const mine = (blocks: number) => ask(url, 'anvil_mine', [toHex(blocks), toHex(stepS)])
  const accounts = await ask<readonly Address[]>(url, 'eth_accounts')
  const account = (index: number) => accounts[index % accounts.length] as Address

  await ask(url, 'anvil_setCode', [multicall3Address, artifacts.Multicall3.deployedBytecode])
  await ask(url, 'evm_setNextBlockTimestamp', [
    toHex(Math.floor(Date.now() / 1000) - stepS * (quietBlocks * 4 + 3)),
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
  const receipt = await ask<{ contractAddress: Address }>(url, 'eth_getTransactionReceipt', [deployed])
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
  return ask<Hex>(url, 'eth_sendTransaction', [transaction])
}
