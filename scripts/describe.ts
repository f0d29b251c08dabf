import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import config from '#config'
import { deployments } from '#contracts'
import { descriptors } from '#descriptors'
import type { ContractDescriptor } from '#lib/wallet/call-display.ts'
import registry from '#registry' with { type: 'json' }
import type { Deployment } from './contracts/setup-chain.ts'
import { descriptorFaults } from './describe/check.ts'
import { registryUrl, updateRegistry } from './describe/update.ts'
import { root } from './steps.ts'

/**
 * `npm run describe -- check` compares `contracts/descriptors.ts` with the ABIs of `contracts/deployments.ts`; `-- update <commit>` brings
 * the public registry's of the configured chains to `public/descriptors` and pins them in `contracts/registry.json`, and without a
 * commit brings what is pinned.
 */
const usage = 'npm run describe -- check | update [commit] [--from URL]'
const { values, positionals } = parseArgs({
  options: { from: { type: 'string', default: registryUrl } },
  allowPositionals: true,
})
const [verb, commit = registry.commit] = positionals
if (verb === 'check') await check()
else if (verb === 'update' && commit !== '')
  await update(commit).catch((error: unknown) => {
    console.error(`Nothing was changed. ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  })
else {
  console.error(usage)
  process.exitCode = 1
}

async function check(): Promise<void> {
  const known: Readonly<Record<string, Deployment>> = deployments
  const own: Readonly<Record<string, ContractDescriptor>> = descriptors
  const faults = await Promise.all(
    Object.entries(own).map(async ([name, descriptor]) =>
      (await descriptorFaults(descriptor, known[name])).map((fault) => `${name}: ${fault}`),
    ),
  )
  for (const fault of faults.flat()) console.error(fault)
  console.log(`${faults.filter((each) => each.length === 0).length} of ${faults.length} descriptors fit.`)
  if (faults.flat().length > 0) process.exitCode = 1
}

async function update(commit: string): Promise<void> {
  const { integrity, files, hasLicence } = await updateRegistry({
    from: values.from,
    commit,
    chainIds: config.chains.map(({ id }) => id),
    folder: join(root, 'public/descriptors'),
    ...(commit === registry.commit && { integrity: registry.integrity }),
  })
  writeFileSync(join(root, 'contracts/registry.json'), `${JSON.stringify({ commit, integrity }, null, 2)}\n`)
  console.log(`${files} descriptors of ${commit}.${hasLicence ? '' : ' The registry has no file LICENSE.'}`)
}
