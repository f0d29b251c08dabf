import type { Abi, Address, Hex } from 'viem'

/** A chain that contracts are deployed on. */
export interface SetupChain {
  readonly id: number
  /** Whether it is a local chain, whose accounts anvil funds. */
  readonly isLocal: boolean
  readonly deployer: Address
  /** The token of the local chains, of which each account has a million; null on a real one. */
  readonly demoToken: Address | null
  /**
   * Deploys a contract and records it in `contracts/deployments.ts` by this name. Returns its address. On a real chain, what has an
   * address there is not deployed again.
   *
   * @param source `staking.sol` of `contracts/`, whose contract has the same name (`Staking`), or a JSON artifact of Foundry or Hardhat,
   * `../out/Staking.sol/Staking.json`
   */
  readonly deploy: (name: string, source: string, args?: readonly unknown[]) => Promise<Address>
  /** Sends a transaction of the deployer, and waits until it is included. */
  readonly send: (transaction: {
    readonly to: Address
    readonly data?: Hex
    readonly value?: bigint
  }) => Promise<void>
}

export type Setup = (chain: SetupChain) => Promise<void>

/** A transaction of the deployer; without `to` it creates a contract. */
export interface DeployerCall {
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
}

/** A contract as it is deployed. */
export interface CompiledContract {
  readonly abi: Abi
  readonly bytecode: Hex
  /** What a verifier compiles; null for an artifact of another tool. */
  readonly source: { readonly input: unknown; readonly compiler: string; readonly contract: string } | null
}

/** An entry of `contracts/deployments.ts`. */
export interface Deployment {
  readonly abi: Abi
  readonly local?: Readonly<Record<number, Address>>
  readonly addresses?: Readonly<Record<number, Address>>
}
