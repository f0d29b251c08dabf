import type { Abi, Address } from 'viem'
import { deployments } from '#contracts'

type Deployments = typeof deployments

/** The names of `contracts/deployments.ts`. */
export type ContractName = keyof Deployments & string

export interface DeployedCode<name extends ContractName> {
  readonly abi: Deployments[name] extends { readonly abi: infer abi extends Abi } ? abi : Abi
  readonly address: Address
  readonly chainId: number
}

interface Addresses {
  readonly abi: Abi
  readonly local?: Readonly<Record<number, Address>>
  readonly addresses?: Readonly<Record<number, Address>>
}

/** A deployed contract, to spread into what reads, writes or reviews a call. Throws where it is not deployed. */
export function deployedCode<const name extends ContractName>(
  name: name,
  { chainId, isLocal }: { readonly chainId: number; readonly isLocal: boolean },
): DeployedCode<name> {
  const { abi, local, addresses } = ofName(name)
  const address = (isLocal ? local : addresses)?.[chainId]
  if (address === undefined)
    throw new Error(
      `${name} is not deployed on ${isLocal ? 'the local ' : ''}chain ${chainId}: ${isLocal ? 'contracts/setup.ts' : `npm run deploy -- --chain ${chainId}`} deploys it`,
    )
  return { abi, address, chainId } as DeployedCode<name>
}

/** The name of what is deployed there. */
export function contractNameAt(
  address: string,
  { chainId, isLocal }: { readonly chainId: number; readonly isLocal: boolean },
): string | undefined {
  const all = Object.entries(deployments as Readonly<Record<string, Addresses>>)
  return all.find(([, { local, addresses }]) => {
    const own = (isLocal ? local : addresses)?.[chainId]
    return own?.toLowerCase() === address.toLowerCase()
  })?.[0]
}

/** The ABIs of all contracts: one may revert with the error of another. */
export function allAbis(): readonly Abi[] {
  return Object.values(deployments as Readonly<Record<string, Addresses>>).map(({ abi }) => abi)
}

/** The file is data: where it is empty, its type has no name. */
function ofName(name: string): Addresses {
  return (deployments as Readonly<Record<string, Addresses>>)[name] as Addresses
}
