import { createRequire } from 'node:module'
import {
  getCompatibilityFallbackHandlerDeployment,
  getCreateCallDeployment,
  getMultiSendCallOnlyDeployment,
  getMultiSendDeployment,
  getProxyFactoryDeployment,
  getSafeL2SingletonDeployment,
  getSafeSingletonDeployment,
  getSignMessageLibDeployment,
  getSimulateTxAccessorDeployment,
} from '@safe-global/safe-deployments'
import { ask, chainId, facts } from '../support/steps.mjs'

const require = createRequire(import.meta.url)
const artifacts = '@safe-global/safe-contracts/build/artifacts/contracts'
const version = '1.4.1'

const contracts = [
  [getSafeSingletonDeployment, 'Safe.sol/Safe'],
  [getSafeL2SingletonDeployment, 'SafeL2.sol/SafeL2'],
  [getProxyFactoryDeployment, 'proxies/SafeProxyFactory.sol/SafeProxyFactory'],
  [
    getCompatibilityFallbackHandlerDeployment,
    'handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler',
  ],
  [getMultiSendDeployment, 'libraries/MultiSend.sol/MultiSend'],
  [getMultiSendCallOnlyDeployment, 'libraries/MultiSendCallOnly.sol/MultiSendCallOnly'],
  [getSignMessageLibDeployment, 'libraries/SignMessageLib.sol/SignMessageLib'],
  [getCreateCallDeployment, 'libraries/CreateCall.sol/CreateCall'],
  [getSimulateTxAccessorDeployment, 'accessors/SimulateTxAccessor.sol/SimulateTxAccessor'],
]

/** Places Safe's contracts at their addresses on the real chain, and mines a block, so that there is a new head with them. */
export async function placeContracts() {
  for (const [deploymentOf, path] of contracts) {
    const address = deploymentOf({ version, network: String(chainId) }).networkAddresses[chainId]
    await ask(facts.chainUrl, 'anvil_setCode', [
      address,
      require(`${artifacts}/${path}.json`).deployedBytecode,
    ])
  }
  await ask(facts.chainUrl, 'evm_mine')
}
