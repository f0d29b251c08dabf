import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { callNode } from '../../demo/json-rpc.ts'
import { compileContract } from '../../scripts/contracts/compile.ts'

/** In the order of the contract's enum. */
const oddities = ['none', 'answers-false', 'answers-nothing'] as const

export type Oddity = (typeof oddities)[number]

const abi = parseAbi(['function become(uint8 oddity)', 'function mint(address to, uint256 value)'])

let bytecode: Hex | undefined

export async function deployOddToken(url: string, oddity: Oddity, holder: Hex): Promise<Hex> {
  bytecode ??= compileContract('OddToken', new URL('./odd-tokens.sol', import.meta.url)).bytecode
  const index = encodeAbiParameters([{ type: 'uint8' }], [oddities.indexOf(oddity)])
  const from = await deployer(url)
  const { contractAddress: token } = await execute(url, { from, data: `${bytecode}${index.slice(2)}` })
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [holder, 1_000_000_000n] })
  await execute(url, { from, to: token, data })
  return token
}

export async function become(url: string, token: Hex, oddity: Oddity): Promise<void> {
  const data = encodeFunctionData({ abi, functionName: 'become', args: [oddities.indexOf(oddity)] })
  await execute(url, { from: await deployer(url), to: token, data })
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
