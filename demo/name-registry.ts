import {
  type Address,
  type EncodeFunctionDataParameters,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  keccak256,
  parseAbi,
  parseSignature,
  toCoinType,
  toHex,
} from 'viem'
import { packetToBytes } from 'viem/ens'
import { demoAccount } from './accounts.ts'
import artifacts from './contracts/artifacts.json' with { type: 'json' }
import { demoChains } from './demo-chains.ts'
import { callNode } from './json-rpc.ts'

/** Where names are registered, and ENS's Universal Resolver there: the demo stands without the app's own code. */
export const namesChainId = 1
const universalResolver = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe'

/** Of what an offchain resolver's gateway replies; it writes the records, too. */
const signer = demoAccount(9)
const validS = 3600

/** The names of the demo: with addresses for every chain, from a service outside of the chain, and with an address on chain 1 alone. */
export const demoNames = { own: 'demo.eth', offchain: 'offchain.eth', mainnet: 'mainnet.eth' } as const

const abi = parseAbi([
  'function setAddress(bytes name, uint256 coinType, bytes value)',
  'function setPrimary(bytes account, uint256 coinType, string name)',
  'function setOffchain(bytes name, string[] urls, address signer)',
])

/** What a chain's names say; a coin type is one of ENSIP-9 and ENSIP-11. */
export interface NameRegistry {
  setAddress(name: string, coinType: bigint, address: Hex): Promise<void>
  setPrimary(address: Address, coinType: bigint, name: string): Promise<void>
  setOffchain(name: string, urls: readonly string[]): Promise<void>
}

/** Puts a contract where ENS has its Universal Resolver. It answers as that does, and anyone may write to it. */
export async function openNames(url: string): Promise<NameRegistry> {
  await callNode(url, 'anvil_setCode', [universalResolver, artifacts.Names.deployedBytecode])
  const write = async (call: EncodeFunctionDataParameters<typeof abi>) => {
    const data = encodeFunctionData(call)
    await callNode(url, 'eth_sendTransaction', [{ from: signer.address, to: universalResolver, data }])
    await callNode(url, 'anvil_mine', ['0x1'])
  }
  return {
    setAddress: (name, coinType, address) =>
      write({ abi, functionName: 'setAddress', args: [dnsOf(name), coinType, address] }),
    setPrimary: (address, coinType, name) =>
      write({ abi, functionName: 'setPrimary', args: [address, coinType, name] }),
    setOffchain: (name, urls) =>
      write({ abi, functionName: 'setOffchain', args: [dnsOf(name), urls, signer.address] }),
  }
}

const dnsOf = (name: string): Hex => toHex(packetToBytes(name))

/** What an honest gateway replies for every name: this address, signed for the contract that asks. */
export async function signedReply(sender: Address, request: Hex, address: Address): Promise<Hex> {
  const result = encodeAbiParameters([{ type: 'bytes' }], [address])
  const expires = BigInt(Math.floor(Date.now() / 1000) + validS)
  const digest = keccak256(
    encodePacked(
      ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
      ['0x1900', sender, expires, keccak256(request), keccak256(result)],
    ),
  )
  const { r, s, yParity } = parseSignature(await signer.sign({ hash: digest }))
  const signature = encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint8' }],
    [r, s, 27 + yParity],
  )
  return encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }],
    [result, expires, signature],
  )
}

/** Where the control port has the gateway of the demo's offchain name. */
export const gatewayPath = '/names/'

/** Registers the names of the demo on its chain 1: the first account's own, and those of the next two. */
export async function writeDemoNames(url: string, controlUrl: string): Promise<void> {
  const registry = await openNames(url)
  const [own, , other] = [0, 1, 2].map((index) => demoAccount(index).address) as [Address, Address, Address]
  for (const coinType of demoChains.map(({ facts }) => toCoinType(facts.id))) {
    await registry.setAddress(demoNames.own, coinType, own)
    await registry.setPrimary(own, coinType, demoNames.own)
  }
  await registry.setAddress(demoNames.mainnet, toCoinType(1), other)
  const { origin } = new URL(controlUrl)
  await registry.setOffchain(demoNames.offchain, [`${origin}${gatewayPath}{sender}/{data}`])
}

/** What the demo's gateway replies to the rest of its path; null where that is no request. */
export async function replyOfGateway(rest: string): Promise<{ readonly data: Hex } | null> {
  const [, sender, request] = /^(0x[0-9a-f]{40})\/(0x[0-9a-f]{8,4096})$/.exec(rest) ?? []
  if (sender === undefined || request === undefined) return null
  return { data: await signedReply(sender as Address, request as Hex, demoAccount(1).address) }
}
