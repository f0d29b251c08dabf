'use client'

import { type ContractName, type DeployedCode, deployedCode } from '#lib/reads/deployed.ts'
import { site } from '#site'
import { useSite } from './wallet.ts'

/**
 * A contract of `contracts/deployments.ts`: ABI, address and chain, on the local chains under `npm run dev` and `npm run demo`. Throws
 * where it is not deployed.
 *
 * @example
 * const staking = useContract('staking')
 * const { data } = useQuorumRead({ ...staking, functionName: 'staked', args: address && [address] })
 * review({ ...staking, functionName: 'stake', args: [amount] })
 */
export function useContract<const name extends ContractName>(
  name: name,
  chainId: number = site.initialChainId,
): DeployedCode<name> {
  const chain = useSite().chains.find(({ id }) => id === chainId)
  return deployedCode(name, { chainId, isLocal: chain?.isLocal === true })
}
