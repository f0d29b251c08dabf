import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { encryptKeystoreJsonSync } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoAccount, keyOf } from '../../demo/accounts.ts'
import { demoChainsOf } from '../../demo/demo-chains.ts'
import { type Stage, startStage } from '../../demo/stage.ts'
import { readDeployments } from '../../scripts/contracts/deployments.ts'
import { folderForOneFile } from '../support/folder.ts'
import { type Host, startHost } from '../support/host.ts'
import { listen } from '../support/listen.ts'

const root = join(import.meta.dirname, '../..')
const folder = folderForOneFile()
const deployments = join(folder, 'contracts/deployments.ts')
const journal = join(folder, 'contracts/.journal-10.json')
const key = keyOf(demoAccount(8))
const keystore = join(folder, 'deployer.json')
let stage: Stage
let host: Host
let port: number

/** Sourcify's v2 API: a job, which is completed when it is asked for again. */
const verified: unknown[] = []
const sourcify = createServer(async (request, response) => {
  const isJob = request.method === 'GET'
  if (!isJob) verified.push({ path: request.url ?? '', body: JSON.parse(await text(request)) })
  const job = { isJobCompleted: true, contract: { match: 'exact_match' } }
  response.writeHead(isJob ? 200 : 202, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isJob ? job : { verificationId: 'job-1' }))
})

beforeAll(async () => {
  for (const path of ['scripts', 'contracts', 'package.json'])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(root, 'demo/contracts/token.sol'), join(folder, 'contracts/token.sol'))
  writeFileSync(
    join(folder, 'contracts/setup.ts'),
    "export async function setup({ deploy, deployer }) {\n  await deploy('coin', 'token.sol', ['Coin', 'COIN', 6, [deployer], 7n])\n}\n",
  )
  const { address } = demoAccount(8)
  const scrypt = { scrypt: { N: 1024, r: 8, p: 1 } }
  writeFileSync(keystore, encryptKeystoreJsonSync({ address, privateKey: key }, 'correct horse', scrypt))
  stage = await startStage({ chains: demoChainsOf([{ id: 10 }]), blockTimeS: 0.25 })
  host = await startHost('alone', { config: stage.config })
  port = await listen(sourcify)
})
afterAll(async () => {
  host.signal('SIGKILL')
  await stage.stop()
  sourcify.close()
})

/** `npm run deploy`, with what is typed. */
async function deploy(typed: string, ...flags: readonly string[]): Promise<string> {
  const { DEPLOYER_KEY: _, ...env } = process.env
  const fromKeystore = flags.includes('--keystore')
  const from = ['--gateway', host.url, '--sourcify', `http://127.0.0.1:${port}`]
  const child = spawn(process.execPath, ['scripts/deploy.ts', '--chain', '10', ...from, ...flags], {
    cwd: folder,
    env: fromKeystore ? env : { ...env, DEPLOYER_KEY: key },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      said += part
    })
  child.stdin.end(typed)
  const [code] = await once(child, 'close')
  return `${said}exit ${code}`
}

test('the command asks before it signs, deploys through the gateway, gives the source to Sourcify, and repeats nothing', async () => {
  const question = /deploy coin, nonce 0, costs at most 0\.\d+\. Sign it\? \[yes\] /
  const refused = await deploy('no\n')
  expect(refused).toMatch(question)
  expect(refused).toMatch(/nothing was signed\nexit 1$/)
  expect(await deploy('')).toMatch(/nothing was signed\nexit 1$/)
  expect([readDeployments(deployments), existsSync(journal)]).toEqual([{}, false])

  expect(await deploy('correct horsE\nyes\n', '--keystore', keystore)).toMatch(
    /the password of the keystore is another one\nexit 1$/,
  )
  const done = await deploy('correct horse\nyes\n', '--keystore', keystore, '--verify')
  expect(done).not.toContain('horse')
  expect(done).toMatch(question)
  const address = readDeployments(deployments).coin?.addresses?.[10]
  expect(done).toContain(`coin: ${address}\nSourcify: exact_match\nexit 0`)
  expect(existsSync(journal)).toBe(false)
  expect(verified).toMatchObject([
    {
      path: `/v2/verify/10/${address}`,
      body: {
        compilerVersion: expect.stringMatching(/^\d+\.\d+\.\d+\+commit\.\w{8}$/),
        contractIdentifier: 'Token:Token',
        creationTransactionHash: expect.stringMatching(/^0x\w{64}$/),
        stdJsonInput: {
          language: 'Solidity',
          sources: { Token: { content: expect.stringContaining('contract Token') } },
        },
      },
    },
  ])
  expect(done).not.toContain(key)

  expect(await deploy('', '--verify')).toContain(
    `coin is deployed: ${address}\nSourcify: exact_match\nexit 0`,
  )
})
