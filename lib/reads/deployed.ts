import type { Abi, Address } from 'viem'
import { deployments } from '#contracts'

type Deployments = typeof deployments

/** The file is data: where it is empty, its type has no names. */
const all: Readonly<Record<string, Addresses>> = deployments

/** The names of `contracts/deployments.ts`. */
export type ContractName = keyof Deployments & string

export interface DeployedCode<name extends ContractName> {
  readonly abi: Deployments[name] extends { readonly abi: infer abi extends Abi } ? abi : Abi
  readonly address: Address
  readonly chainId: number
}

interface Network {
  readonly chainId: number
  readonly isLocal: boolean
}

interface Addresses {
  readonly abi: Abi
  readonly local?: Readonly<Record<number, Address>>
  readonly addresses?: Readonly<Record<number, Address>>
}

/** A deployed contract, to spread into what reads, writes or reviews a call. Throws where it is not deployed. */
export function deployedCode<const name extends ContractName>(
  name: name,
  { chainId, isLocal }: Network,
): DeployedCode<name> {
  const contract = all[name] as Addresses
  const address = addressOn(contract, { chainId, isLocal })
  if (address === undefined)
    throw new Error(
      `${name} is not deployed on ${isLocal ? 'the local ' : ''}chain ${chainId}: ${isLocal ? 'contracts/setup.ts' : `npm run deploy -- --chain ${chainId}`} deploys it`,
    )
  return { abi: contract.abi, address, chainId } as DeployedCode<name>
}

/** The name of what is deployed there. */
export function contractNameAt(address: string, network: Network): string | undefined {
  const isThere = (contract: Addresses) =>
    addressOn(contract, network)?.toLowerCase() === address.toLowerCase()
  return Object.entries(all).find(([, contract]) => isThere(contract))?.[0]
}

/** The ABIs of all contracts: one may revert with the error of another. */
export function allAbis(): readonly Abi[] {
  return Object.values(all).map(({ abi }) => abi)
}

function addressOn({ local, addresses }: Addresses, { chainId, isLocal }: Network): Address | undefined {
  return (isLocal ? local : addresses)?.[chainId]
}
