import { type Address, encodeDeployData, type Hex, toHex } from 'viem'
import type { DeployedContract } from './deployments.ts'
import type { DeployerCall, Setup } from './setup-chain.ts'

interface LocalSetup {
  readonly id: number
  readonly demoToken: Address
  /** An account of anvil that has sent nothing yet: its contracts have the same addresses at each start. */
  readonly deployer: Address
  readonly setup: Setup
  readonly callNode: <Result>(method: string, params: readonly unknown[]) => Promise<Result>
}

/** Runs `contracts/setup.ts` on a new local chain, a block for each transaction. */
export async function setUpLocal({
  id,
  demoToken,
  deployer,
  setup,
  callNode,
}: LocalSetup): Promise<readonly DeployedContract[]> {
  const contracts: DeployedContract[] = []
  const send = async ({ value = 0n, ...rest }: DeployerCall) => {
    const hash = await callNode<Hex>('eth_sendTransaction', [
      { from: deployer, value: toHex(value), ...rest },
    ])
    await callNode('anvil_mine', [toHex(1), toHex(1)])
    const receipt = await callNode<{ readonly status: Hex; readonly contractAddress: Address | null }>(
      'eth_getTransactionReceipt',
      [hash],
    )
    if (receipt.status !== '0x1') throw new Error(`contracts/setup.ts, chain ${id}: ${hash} reverted`)
    return receipt.contractAddress
  }
  await setup({
    id,
    isLocal: true,
    deployer,
    demoToken,
    async deploy(name, source, args = []) {
      // The compiler takes a second to load: only where something is compiled.
      const { readContractSource } = await import('./compile.ts')
      const { abi, bytecode } = readContractSource(source)
      const address = await send({ data: encodeDeployData({ abi, bytecode, args }) })
      if (address === null) throw new Error(`${name} has no address`)
      contracts.push({ name, abi, chainId: id, isLocal: true, address })
      return address
    },
    async send(transaction) {
      await send(transaction)
    },
  })
  return contracts
}
