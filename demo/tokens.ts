import { type Address, encodeDeployData, type Hex, keccak256, toHex } from 'viem'
import list from '../tokens.json' with { type: 'json' }
import artifacts from './contracts/artifacts.json' with { type: 'json' }
import { tokenAbi } from './history.ts'
import { callNode } from './json-rpc.ts'

/** Of each chain, the accounts have some of so many tokens. */
const ownedTokens = 3

/** Puts the tokens of `tokens.json` where the real ones are, with 1,250 of the first few for each account. */
export async function placeTokens(
  url: string,
  { id, accounts }: { readonly id: number; readonly accounts: readonly Address[] },
): Promise<void> {
  const tokens = list.tokens.filter(({ chainId }) => chainId === id)
  const codes = new Map<number, Promise<Hex>>()
  const codeOf = (decimals: number) => {
    const code = codes.get(decimals) ?? runtimeCode(url, decimals)
    codes.set(decimals, code)
    return code
  }
  await Promise.all(
    tokens.map(async ({ address, name, symbol, decimals }, index) => {
      await callNode(url, 'anvil_setCode', [address, await codeOf(decimals)])
      const store = (slot: Hex, word: Hex) => callNode(url, 'anvil_setStorageAt', [address, slot, word])
      await store(wordOf(0n), shortText(name))
      await store(wordOf(1n), shortText(symbol))
      if (index >= ownedTokens) return
      const each = 1250n * 10n ** BigInt(decimals)
      await store(wordOf(supplySlot), wordOf(each * BigInt(accounts.length)))
      for (const account of accounts) await store(balanceSlot(account), wordOf(each))
    }),
  )
}

/** What a creation returns is the code with its immutable, the decimals. */
function runtimeCode(url: string, decimals: number): Promise<Hex> {
  const args = ['', '', decimals, [], 0n] as const
  const data = encodeDeployData({ abi: tokenAbi, bytecode: artifacts.Token.bytecode as Hex, args })
  return callNode<Hex>(url, 'eth_call', [{ data }, 'latest'])
}

/** Of `totalSupply` and `balanceOf` in token.sol; before them are the name and the symbol. */
const supplySlot = 2n
const balancesSlot = 3n

function balanceSlot(account: Address): Hex {
  return keccak256(`0x${account.slice(2).padStart(64, '0')}${wordOf(balancesSlot).slice(2)}`)
}

function wordOf(value: bigint): Hex {
  return toHex(value, { size: 32 })
}

const textBytesMax = 31

/** How Solidity stores a short text: the text, and twice its length. */
function shortText(text: string): Hex {
  const bytes = Buffer.from(text).subarray(0, textBytesMax)
  return `0x${bytes.toString('hex').padEnd(62, '0')}${(2 * bytes.length).toString(16).padStart(2, '0')}`
}
