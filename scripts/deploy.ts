import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
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

const [verifyTriesMax, verifyPauseMs] = [60, 1000]
const prompt = createInterface({ input: process.stdin, output: process.stdout })
// A pipe's answers come before their questions.
const answers = prompt[Symbol.asyncIterator]()
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
    confirm: async (sentence) => (await readAnswer(`${sentence}. Sign it? [yes] `)) === 'yes',
    say: (sentence) => console.log(sentence),
    ...(values.verify && { verify }),
  })
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : String(cause))
  process.exitCode = 1
} finally {
  prompt.close()
}

/** What is typed; empty where the input has ended. */
async function readAnswer(question: string): Promise<string> {
  process.stdout.write(question)
  const { value = '' } = await answers.next()
  return value
}

async function readKey(): Promise<Hex> {
  if (values.keystore !== undefined) {
    // What is typed is not shown.
    const password = await readAnswer('Password: \x1b[8m')
    console.log('\x1b[28m')
    return keyOfKeystore(readFileSync(values.keystore, 'utf8'), password)
  }
  const key = process.env.DEPLOYER_KEY
  if (!key) throw new Error('there is no key: --keystore FILE, or DEPLOYER_KEY')
  return key as Hex
}

async function verify({ source }: CompiledContract, address: Address, hash?: Hex): Promise<void> {
  if (source === null) return console.log('an artifact of another tool is verified by that tool')
  const api = `${values.sourcify}/v2/verify`
  const begun = await readSourcify(`${api}/${chainId}/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stdJsonInput: source.input,
      compilerVersion: source.compiler,
      contractIdentifier: source.contract,
      ...(hash && { creationTransactionHash: hash }),
    }),
  })
  let job = begun
  for (let tries = 0; job.verificationId && !job.isJobCompleted && tries < verifyTriesMax; tries += 1) {
    await pause(verifyPauseMs)
    job = await readSourcify(`${api}/${begun.verificationId}`)
  }
  console.log(`Sourcify: ${job.contract?.match ?? job.error?.message ?? job.message ?? 'no verdict yet'}`)
}

/** What Sourcify's v2 API answers: a job or an error. */
interface SourcifyReply {
  readonly verificationId?: string
  readonly isJobCompleted?: boolean
  readonly contract?: { readonly match: string | null }
  readonly error?: { readonly message: string }
  readonly message?: string
}

/** That a source is not verified fails no deployment. */
async function readSourcify(url: string, init?: RequestInit): Promise<SourcifyReply> {
  try {
    return (await (await fetch(url, init)).json()) as SourcifyReply
  } catch (cause) {
    return { message: String(cause) }
  }
}
