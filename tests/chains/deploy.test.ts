import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, erc20Abi, type Hex, http, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoAccount, keyOf } from '../../demo/accounts.ts'
import { type Anvil, startAnvil } from '../../demo/anvil.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { startKeeper } from '../../demo/keeper.ts'
import { deployOn } from '../../scripts/contracts/deploy-chain.ts'
import { readDeployments } from '../../scripts/contracts/deployments.ts'
import { setUpLocal } from '../../scripts/contracts/local.ts'
import type { Setup, SetupChain } from '../../scripts/contracts/setup-chain.ts'
import { folderForOneFile } from '../support/folder.ts'

const folder = folderForOneFile()
const files = { deployments: join(folder, 'deployments.ts'), journal: join(folder, 'journal.json') }
const keeper = startKeeper()
const account = privateKeyToAccount(keyOf(demoAccount(1)))
const other = demoAccount(2).address
let anvil: Anvil
let client: PublicClient

beforeAll(async () => {
  writeFileSync(files.deployments, 'export const deployments = {} as const\n')
  anvil = await startAnvil({ id: 10, port: 0, blockTimeS: 0.25 }, keeper)
  client = createPublicClient({ transport: http(anvil.url), pollingInterval: 20 })
})
afterAll(async () => {
  await anvil.stop()
  keeper.close()
})

/** Deploys a token of this name, `each` of it for the holder. */
const token = (deploy: SetupChain['deploy'], name: string, holder: Hex, each: bigint) =>
  deploy(name, '../demo/contracts/token.sol', [name, name, 6, [holder], each])

async function setup({ deploy, deployer, send }: SetupChain): Promise<void> {
  const first = await token(deploy, 'first', deployer, 7n)
  await send({ to: first, value: 0n, data: '0xde5f72fd' })
  await token(deploy, 'second', other, 9n)
}

/** Deploys until this many signatures were given. Returns what was asked for. */
async function run(
  signatures: number,
  setUp: Setup = setup,
  faulty: Partial<PublicClient> = {},
): Promise<readonly string[]> {
  const questions: string[] = []
  await deployOn({
    client: { ...client, ...faulty },
    account,
    setup: setUp,
    files,
    confirm: async (sentence) => questions.push(sentence) <= signatures,
    say: () => {},
  }).catch((cause: Error) => questions.push(cause.message))
  return questions
}

test('a deployment that is cut off goes on where it stopped, signs nothing twice, and is recorded by chain', async () => {
  expect(await run(2)).toEqual([
    expect.stringMatching(/^deploy first, nonce 0, costs at most 0\.\d+$/),
    expect.stringMatching(/^call 0x/),
    expect.stringMatching(/^deploy second, nonce 2/),
    'nothing was signed',
  ])
  expect(Object.keys(readDeployments(files.deployments))).toEqual(['first'])
  expect(existsSync(files.journal)).toBe(true)

  expect(await run(1)).toEqual([expect.stringMatching(/^deploy second, nonce 2/)])
  expect(existsSync(files.journal)).toBe(false)
  expect(await callNode(anvil.url, 'eth_getTransactionCount', [account.address, 'latest'])).toBe('0x3')
  const address = readDeployments(files.deployments).second?.addresses?.[10]
  const call = { abi: erc20Abi, address: address ?? '0x', functionName: 'balanceOf', args: [other] } as const
  expect(await client.readContract(call)).toBe(9n)
})

test('an interrupted deployment continues where it stopped, also with contracts of an earlier one', async () => {
  const release: Setup = async ({ deploy }) => {
    await token(deploy, 'first', other, 7n)
    await token(deploy, 'third', other, 8n)
  }
  const waitForTransactionReceipt = () => Promise.reject(new Error('cut off'))
  expect(await run(1, release, { waitForTransactionReceipt })).toEqual([
    expect.stringMatching(/^deploy third, nonce 3/),
    `cut off\nif another transaction used this nonce, delete the last entry of ${files.journal}`,
  ])
  expect(await run(0, release)).toEqual([])
  expect(await callNode(anvil.url, 'eth_getTransactionCount', [account.address, 'latest'])).toBe('0x4')
  expect(Object.keys(readDeployments(files.deployments))).toEqual(['first', 'second', 'third'])
})

test('the next run signs a reverted transaction again, but no earlier one', async () => {
  const fourth: Setup = async ({ deploy, send }) => {
    const address = await token(deploy, 'fourth', other, 9n)
    await send({ to: address, data: '0xde5f72fd' })
  }
  const prepare = async (request: { readonly to?: string }) => ({
    ...(await client.prepareTransactionRequest(request as never)),
    ...(request.to !== undefined && { gas: 22_000n }),
  })
  const called = expect.stringMatching(/^call 0x/)
  expect(await run(2, fourth, { prepareTransactionRequest: prepare as never })).toEqual([
    expect.stringMatching(/^deploy fourth/),
    called,
    expect.stringMatching(/ reverted: 0x/),
  ])
  expect(await run(1, fourth)).toEqual([called])
})

test('on an OP Stack chain, the cost mentions the layer 1 data fee', async () => {
  await callNode(anvil.url, 'anvil_setCode', ['0x420000000000000000000000000000000000000F', '0x00'])
  const last: Setup = ({ deploy }) => token(deploy, 'last', other, 9n).then(() => {})
  expect(await run(0, last)).toEqual([
    expect.stringMatching(/^deploy last, nonce \d+, costs at most 0\.\d+ and the layer 1 data fee$/),
    'nothing was signed',
  ])
})

test('a local chain has the same contracts at the same addresses as any other that is new', async () => {
  const deployer = demoAccount(9).address
  const addresses = await Promise.all(
    [1, 2].map(async (id) => {
      const local = await startAnvil({ id, port: 0, blockTimeS: 60 }, keeper)
      const contracts = await setUpLocal({
        id,
        demoToken: other,
        deployer,
        setup,
        callNode: (method, params) => callNode(local.url, method, params),
      })
      await local.stop()
      return contracts.map(({ name, address }) => [name, address])
    }),
  )
  expect(addresses[0]).toEqual([
    ['first', expect.stringMatching(/^0x/)],
    ['second', expect.stringMatching(/^0x/)],
  ])
  expect(addresses[1]).toEqual(addresses[0])
})
