import { env } from '#lib/config/env.ts'
import { site } from '#site'
import { type ContractName, type DeployedCode, deployedCode } from './deployed.ts'

/**
 * A contract of `contracts/deployments.ts` in a server component, on the local chains under `npm run dev` and `npm run demo`. Throws
 * where it is not deployed.
 *
 * @example
 * await readContract(137, { ...contractOf('staking'), functionName: 'total' })
 */
export function contractOf<const name extends ContractName>(
  name: name,
  chainId: number = site.initialChainId,
): DeployedCode<name> {
  return deployedCode(name, { chainId, isLocal: env().DEMO })
}
