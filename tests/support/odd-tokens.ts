import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { callNode } from '../../demo/json-rpc.ts'
import { compileContract } from '../../scripts/contracts/compile.ts'

/** In the order of the contract's enum. */
export const oddities = [
  'none',
  'answers-false',
  'answers-nothing',
  'answers-seven',
  'moves-nothing',
  'keeps-part',
  'has-no-events',
  'approves-nothing',
] as const

export type Oddity = (typeof oddities)[number]

export const oddTokenAbi = parseAbi([
  'function become(uint8 oddity)',
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
])

let bytecode: Hex | undefined

export async function deployOddToken(url: string, oddity: Oddity, holder: Hex): Promise<Hex> {
  bytecode ??= compileContract('OddToken', new URL('./odd-tokens.sol', import.meta.url)).bytecode
  const index = encodeAbiParameters([{ type: 'uint8' }], [oddities.indexOf(oddity)])
  const token = await deploy(url, `${bytecode}${index.slice(2)}`)
  const data = encodeFunctionData({ abi: oddTokenAbi, functionName: 'mint', args: [holder, 1_000_000_000n] })
  await execute(url, { from: await deployer(url), to: token, data })
  return token
}

export async function become(url: string, token: Hex, oddity: Oddity): Promise<void> {
  const data = encodeFunctionData({
    abi: oddTokenAbi,
    functionName: 'become',
    args: [oddities.indexOf(oddity)],
  })
  await execute(url, { from: await deployer(url), to: token, data })
}

/** Deploys a contract, with this many wei, and returns its address. */
export async function deploy(url: string, data: Hex, value: Hex = '0x0'): Promise<Hex> {
  const { contractAddress } = await execute(url, { from: await deployer(url), data, value })
  return contractAddress
}

interface Receipt {
  readonly contractAddress: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionHash: Hex
}

/** Sends from an account of the chain, and returns once it is mined. */
export async function execute(url: string, transaction: Record<string, string>): Promise<Receipt> {
  const hash = await callNode<Hex>(url, 'eth_sendTransaction', [transaction])
  for (;;) {
    const receipt = await callNode<Receipt | null>(url, 'eth_getTransactionReceipt', [hash])
    if (receipt !== null) return receipt
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The last account of the chain: its nonces disturb no wallet under test. */
async function deployer(url: string): Promise<Hex> {
  const accounts = await callNode<readonly Hex[]>(url, 'eth_accounts', [])
  return accounts.at(-1) as Hex
}
