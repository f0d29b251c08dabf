import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { output } from '../support/commands.mjs'
import { startCounting } from '../support/counting.mjs'
import { ask, facts, privateKey, succeeds, url } from '../support/steps.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'hardhat-'))
const counting = await startCounting(url)
const environment = {
  HARDHAT_NETWORK: 'tried',
  HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
  HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: 'false',
  // Where upgrades are recorded on a chain that is not a development network by its client version.
  MANIFEST_DEFAULT_DIR: scratch,
  TRIED_URL: counting.url,
  PRIVATE_KEY: privateKey,
}
Object.assign(process.env, environment)
const { ethers, upgrades } = createRequire(import.meta.url)('hardhat')
const step = (name, act) => succeeds(name, act, described)

function described({ name, code, message, shortMessage }) {
  return { type: name, code: code ?? null, message: shortMessage ?? message }
}

const hardhat = (...args) =>
  output(process.execPath, ['node_modules/.bin/hardhat', '--network', 'tried', ...args])

/** The result of one test file from `hardhat test`. */
async function tests(file) {
  const said = await hardhat('test', '--no-compile', `test/${file}.js`)
  return /\d+ passing/.exec(said)?.[0] ?? said
}

/** Mines a block each second, because ignition waits for five confirmations of earlier transactions and of its own. */
async function withBlocks(act) {
  await ask(facts.chainUrl, 'anvil_mine', ['0x5'])
  const head = Number(await ask(facts.chainUrl, 'eth_blockNumber'))
  while (Number(await ask(url, 'eth_blockNumber')) < head) await pause(100)
  await ask(facts.chainUrl, 'evm_setIntervalMining', [1])
  try {
    return await act()
  } finally {
    await ask(facts.chainUrl, 'evm_setIntervalMining', [0])
    await ask(facts.chainUrl, 'evm_setAutomine', [true])
  }
}

await step('balance', () => ethers.provider.getBalance(process.env.STEPS ? facts.stranger : facts.richest))
await step('tests: storing', () => tests('storing'))
await step('tests: reverting', () => tests('reverting'))
await step('tests: events', () => tests('events'))
await step('ignition', () => withBlocks(deployed))
await step('upgrade', upgraded)
await step('refused requests', () => counting.refused)
console.error(`${counting.requests()} requests`)
counting.stop()
rmSync(scratch, { recursive: true })

async function deployed() {
  const id = `side-${new URL(url).port}`
  const folder = join('ignition/deployments', id)
  try {
    await hardhat('ignition', 'deploy', 'ignition/modules/shelf.js', '--deployment-id', id)
    const addresses = JSON.parse(readFileSync(join(folder, 'deployed_addresses.json'), 'utf8'))
    const box = await ethers.getContractAt('Box', addresses['Shelves#Box'])
    return { contracts: Object.keys(addresses), value: await box.value() }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function upgraded() {
  const first = await ethers.getContractFactory('Box')
  const proxy = await upgrades.deployProxy(first, [5])
  await proxy.waitForDeployment()
  await (await proxy.store(6)).wait()
  const second = await upgrades.upgradeProxy(proxy, await ethers.getContractFactory('SecondBox'))
  // The estimate needs the new code, so wait until the upgrade is mined.
  await second.deployTransaction.wait()
  await (await second.increment()).wait()
  return { value: await second.value(), version: await second.version() }
}
