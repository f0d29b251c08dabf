import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { type Address, createPublicClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { setup } from '../contracts/setup.ts'
import { deployOn } from './contracts/deploy-chain.ts'
import { keyOfKeystore } from './contracts/keystore.ts'
import type { CompiledContract } from './contracts/setup-chain.ts'
import { root } from './steps.ts'

/**
 * `npm run deploy -- --chain 10`: runs `contracts/setup.ts` on a real chain, through the gateway of `--gateway`. The key is that of
 * `--keystore FILE`, else `DEPLOYER_KEY`. `--verify` gives sources to Sourcify.
 */
const { values } = parseArgs({
  options: {
    chain: { type: 'string' },
    gateway: { type: 'string', default: 'http://127.0.0.1:3000' },
    keystore: { type: 'string' },
    verify: { type: 'boolean', default: false },
    sourcify: { type: 'string', default: 'https://sourcify.dev/server' },
  },
})
if (values.chain === undefined || !/^\d+$/.test(values.chain)) {
  console.error('usage: npm run deploy -- --chain 10 [--gateway URL] [--keystore FILE] [--verify]')
  process.exit(2)
}

const prompt = createInterface({ input: process.stdin, output: process.stdout })
const chainId = Number(values.chain)
try {
  const client = createPublicClient({ transport: http(`${values.gateway}/api/rpc/${chainId}`) })
  const account = privateKeyToAccount(await readKey())
  console.log(`chain ${await client.getChainId()}, deployer ${account.address}`)
  await deployOn({
    client,
    account,
    setup,
    files: {
      deployments: join(root, 'contracts/deployments.ts'),
      journal: join(root, `contracts/.journal-${chainId}.json`),
    },
    confirm: async (sentence) => (await prompt.question(`${sentence}. Sign it? [yes] `)) === 'yes',
    say: (sentence) => console.log(sentence),
    ...(values.verify && { verify }),
  })
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : String(cause))
  process.exitCode = 1
} finally {
  prompt.close()
}

async function readKey(): Promise<Hex> {
  if (values.keystore !== undefined) {
    // What is typed is not shown.
    const password = await prompt.question('Password: \x1b[8m')
    console.log('\x1b[28m')
    return keyOfKeystore(readFileSync(values.keystore, 'utf8'), password)
  }
  const key = process.env.DEPLOYER_KEY
  if (!key) throw new Error('there is no key: --keystore FILE, or DEPLOYER_KEY')
  return key as Hex
}

async function verify({ source }: CompiledContract, address: Address, hash: Hex): Promise<void> {
  if (source === null) return console.log('an artifact of another tool is verified by that tool')
  const response = await fetch(`${values.sourcify}/v2/verify/${chainId}/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stdJsonInput: source.input,
      compilerVersion: source.compiler,
      contractIdentifier: source.contract,
      creationTransactionHash: hash,
    }),
  })
  console.log(`Sourcify: ${response.status} ${(await response.text()).slice(0, 200)}`)
}
