import Kit from '@safe-global/protocol-kit'
import { createPublicClient, http } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { does, facts, privateKey, succeeds, url } from '../support/steps.mjs'
import { placeContracts } from './contracts.mjs'

const Safe = Kit.default ?? Kit
const owner = privateKeyToAddress(privateKey)
const client = createPublicClient({ transport: http(url), pollingInterval: 200 })
const step = (name, act) => succeeds(name, act, described)

function described(thrown) {
  let code
  for (let error = thrown; error; error = error.cause) code = error.code ?? code
  return { type: thrown.name, code: code ?? null, message: thrown.shortMessage ?? thrown.message }
}

const init = (options) => Safe.init({ provider: url, signer: privateKey, ...options })
const outcome = async (hash) => {
  const { status, gasUsed } = await client.waitForTransactionReceipt({ hash })
  return { status, gasUsed }
}

if (process.env.STEPS === undefined) await placeContracts()
const predictedSafe = {
  safeAccountConfig: { owners: [owner, facts.richest], threshold: 1 },
  safeDeploymentConfig: { saltNonce: '7' },
}
let kit = process.env.STEPS === undefined ? await init({ predictedSafe }) : null

await step('balance', async () =>
  (await init({ predictedSafe })).getSafeProvider().getBalance(facts.stranger),
)
await step('predict', () => kit.getAddress())
await step('isSafeDeployed', () => kit.isSafeDeployed())
await step('deploy', deployed)
await step('owners', async () => ({ owners: await kit.getOwners(), threshold: await kit.getThreshold() }))
await step('version', () => kit.getContractVersion())
await step('execute', () => executed([transfer(facts.stranger)]))
await step('execute a batch', () => executed([transfer(facts.stranger), transfer(facts.richest)]))
await step('nonce', () => kit.getNonce())
await step('change the threshold', async () => outcomeOf(await kit.createChangeThresholdTx(2)))
await does('execute with one signature of two', () => executed([transfer(facts.stranger)]), described)
await step('read back', async () => ({
  balance: await kit.getBalance(),
  threshold: await kit.getThreshold(),
}))

function transfer(to) {
  return { to, value: '1', data: '0x' }
}

async function deployed() {
  const safeAddress = await kit.getAddress()
  const wallet = await kit.getSafeProvider().getExternalSigner()
  const { to, data } = await kit.createSafeDeploymentTransaction()
  const reported = await outcome(await wallet.sendTransaction({ to, data, value: 0n, chain: null }))
  await outcome(await wallet.sendTransaction({ to: safeAddress, value: 1000n, chain: null }))
  kit = await init({ safeAddress })
  return reported
}

async function executed(transactions) {
  return outcomeOf(await kit.createTransaction({ transactions, onlyCalls: true }))
}

async function outcomeOf(unsigned) {
  const signed = await kit.signTransaction(unsigned)
  const { hash } = await kit.executeTransaction(signed)
  return outcome(hash)
}
