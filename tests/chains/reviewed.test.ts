import { encodeFunctionData, type Hex, parseAbi, parseEther, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { encodeReadCalls } from '#lib/page/batch-readings.ts'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
import { tokenCall } from '#lib/token/erc20.ts'
import { type Intent, type Planned, planSend, reviewedOf } from '#lib/wallet/plan.ts'
import type { TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import { trackTransaction } from '#lib/wallet/track.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { compileContract } from '../../scripts/contracts/compile.ts'
import { recordOf } from '../lib/wallet/record.ts'
import { localChains } from '../support/chains.ts'
import { become, deploy, deployOddToken, execute } from '../support/odd-tokens.ts'
import { agreed, refused } from '../support/readings.ts'

/** Real contracts that do not do what ERC-20 says, and wallets that do not send what was reviewed. Each rule alone: tests/lib/wallet. */
const chains = localChains({ chains: [{ id: 137 }], blockTimeS: 0.1 })
const url = () => chains().chain(137).url
let from: Hex
let other: Hex
let stranger: Hex
beforeAll(async () => {
  ;[from, other, stranger] = (await callNode<readonly Hex[]>(url(), 'eth_accounts')) as [Hex, Hex, Hex]
})

/** The chain itself as an agreed source. */
async function askChain(questions: readonly ReadCall[]): Promise<readonly Reading[]> {
  const response = await fetch(url(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: encodeReadCalls(questions),
  })
  const replies = (await response.json()) as { id: number; result?: unknown }[]
  return questions.map((_, id) => {
    const result = replies.find((reply) => reply.id === id)?.result
    return result === undefined ? refused('refused') : agreed(result)
  })
}

const intentOf = (change: Partial<Intent>): Intent => ({
  chainId: 137,
  from,
  to: other,
  value: 0n,
  data: '0x',
  hasOwners: false,
  ...change,
})
const tokenIntent = (token: Hex, action: 'transfer' | 'approve', amount = 5_000_000n, party = other) =>
  intentOf({ to: token, data: tokenCall(action, party, amount) })
const plan = (intent: Intent) => planSend(intent, askChain)

function planned(answer: Planned) {
  if (!('plan' in answer)) throw new Error(JSON.stringify(answer))
  return { ...answer.plan, ...answer.plan.calls[0] }
}

/** Sends a transaction as a wallet would, and follows it to its end as what was reviewed. */
async function sendAs(answer: Planned, transaction: Record<string, string>): Promise<TransactionRecord> {
  const reviewed = planned(answer)
  const { transactionHash } = await execute(url(), { from, ...transaction })
  return settled(recordOf({ from, hash: transactionHash, confirmations: 1, reviewed: reviewedOf(reviewed) }))
}

async function settled(record: TransactionRecord): Promise<TransactionRecord> {
  const sighting = await trackTransaction(record, askChain)
  if (sighting.status !== undefined && sighting.status !== 'pending') return { ...record, ...sighting }
  await new Promise((resolve) => setTimeout(resolve, 50))
  return settled(record)
}

const honest = ({ to, value, data }: Intent) => ({ to, value: toHex(value), data })
const allow = (token: Hex, amount: bigint) =>
  execute(url(), { from, to: token, data: tokenCall('approve', other, amount) })

describe('a token that answers without reverting', () => {
  test.each([
    ['transfer', 'answers-false', 'refused'],
    ['approve', 'answers-false', 'refused'],
    ['transfer', 'answers-seven', 'unreadable'],
    ['transfer', 'moves-nothing', 'no-effect'],
    ['approve', 'approves-nothing', 'no-effect'],
  ] as const)('%s of a token that %s is not offered to be sent: %s', async (action, oddity, fault) => {
    const token = await deployOddToken(url(), oddity, from)
    expect(await plan(tokenIntent(token, action))).toEqual({ fault })
  })

  test.each([
    ['transfer', 'none'],
    ['transfer', 'answers-nothing'],
    ['approve', 'answers-nothing'],
    ['transfer', 'has-no-events'],
    ['approve', 'has-no-events'],
  ] as const)('%s of a token that %s succeeds, and is confirmed', async (action, oddity) => {
    const token = await deployOddToken(url(), oddity, from)
    const intent = tokenIntent(token, action)
    expect(await sendAs(await plan(intent), honest(intent))).toMatchObject({ status: 'confirmed' })
  })

  test.each([
    ['transfer', 'answers-false', 0n],
    ['transfer', 'moves-nothing', 0n],
    ['transfer', 'keeps-part', 4_900_000n],
    ['approve', 'answers-false', 0n],
    ['approve', 'approves-nothing', 0n],
  ] as const)('that is simulated well but %s then %s is never confirmed', async (action, oddity, amount) => {
    const token = await deployOddToken(url(), 'none', from)
    const intent = tokenIntent(token, action)
    const answer = await plan(intent)
    await become(url(), token, oddity)
    expect(await sendAs(answer, honest(intent))).toMatchObject({
      status: 'different',
      found: { kind: 'effect', amount: toHex(amount) },
    })
  })

  test('shows the balances before and after, and what the recipient gains', async () => {
    const token = await deployOddToken(url(), 'keeps-part', from)
    const intent = tokenIntent(token, 'transfer')
    const answer = await plan(intent)
    expect(planned(answer).effect).toEqual({
      before: [1_000_000_000n, 0n],
      after: [995_000_000n, 4_900_000n],
    })
    // What was shown before is no surprise after.
    expect(await sendAs(answer, honest(intent))).toMatchObject({ status: 'confirmed' })
  })
})

describe('an allowance that has to be revoked first', () => {
  test('is said with the allowance, and offered as two steps that both succeed', async () => {
    const token = await deployOddToken(url(), 'answers-nothing', from)
    await allow(token, 7n)
    const wish = tokenIntent(token, 'approve')
    const first = await plan(wish)
    expect(planned(first)).toMatchObject({
      meaning: { kind: 'approve', amount: 0n },
      steps: { intents: [{}, wish], current: 0, allowance: { units: 7n } },
    })
    expect(await sendAs(first, honest(planned(first).intent))).toMatchObject({ status: 'confirmed' })
    const second = await plan(wish)
    expect(planned(second)).toMatchObject({ meaning: { amount: 5_000_000n } })
    expect(planned(second).steps).toBeUndefined()
  })

  test('is not offered where the revocation fails too, or where the token needs none', async () => {
    const token = await deployOddToken(url(), 'none', from)
    await allow(token, 7n)
    expect(planned(await plan(tokenIntent(token, 'approve'))).steps).toBeUndefined()
    await become(url(), token, 'answers-false')
    expect(await plan(tokenIntent(token, 'approve'))).toEqual({ fault: 'refused' })
  })
})

describe('a contract wallet, whose calls somebody else sends', () => {
  const abi = parseAbi(['function execTransaction(address to, uint256 value, bytes data)'])
  let safe: Hex
  beforeAll(async () => {
    const { bytecode } = compileContract('Account', new URL('../support/account.sol', import.meta.url))
    safe = await deploy(url(), bytecode, toHex(parseEther('5')))
  })

  const executeAs = ({ to, value, data }: Intent) =>
    execute(url(), {
      from: stranger,
      to: safe,
      data: encodeFunctionData({ abi, functionName: 'execTransaction', args: [to, value, data] }),
    })

  interface Executed {
    /** What is executed instead. */
    readonly instead?: Partial<Intent>
    readonly before?: () => Promise<unknown>
  }

  /** Reviews a call of the account, and follows what its owners execute. */
  async function execTransaction(reviewed: Partial<Intent>, { instead, before }: Executed = {}) {
    const intent = intentOf({ from: safe, hasOwners: true, ...reviewed })
    const answer = planned(await plan(intent))
    await before?.()
    const { transactionHash } = await executeAs({ ...intent, ...instead })
    return settled(
      recordOf({ from: safe, sentAs: transactionHash, confirmations: 1, reviewed: reviewedOf(answer) }),
    )
  }

  test('is confirmed when it executes what was reviewed', async () => {
    expect(await execTransaction({ value: 5n })).toMatchObject({ status: 'confirmed' })
  })

  test('has failed when the call inside fails, though the transaction succeeds', async () => {
    const token = await deployOddToken(url(), 'none', safe)
    const transfer = { to: token, data: tokenCall('transfer', other, 1_000_000_000n) }
    const spend = () => executeAs(intentOf({ ...transfer, from: safe }))
    expect(await execTransaction(transfer, { before: spend })).toMatchObject({ status: 'failed' })
  })

  test('sent something else when it executes another call', async () => {
    expect(await execTransaction({ value: 5n }, { instead: { value: 6n } })).toMatchObject({
      status: 'different',
    })
    expect(await execTransaction({ value: 5n }, { instead: { to: stranger } })).toMatchObject({
      status: 'different',
    })
  })
})

describe('any call of a contract', () => {
  const abi = parseAbi([
    'function buy(uint256 id) payable',
    'function swap(uint256 given, uint256 taken)',
    'function approve(address spender, uint256 id)',
    'function setApprovalForAll(address operator, bool approved)',
    'function pretend(uint256 id)',
  ])
  let shop: Hex
  beforeAll(async () => {
    const { bytecode } = compileContract('Collection', new URL('../support/collection.sol', import.meta.url))
    shop = await deploy(url(), bytecode)
  })
  const wish = (functionName: string, args: readonly unknown[], value = 0n) =>
    intentOf({ to: shop, value, data: encodeFunctionData({ abi, functionName, args } as never) })
  const changes = async (intent: Intent) => planned(await plan(intent)).changes

  test('shows what it costs and gains: the coin, and an item', async () => {
    const intent = wish('buy', [1n], parseEther('2'))
    const [coin, item, ...others] = (await changes(intent)) ?? []
    expect(coin).toMatchObject({ kind: 'coin' })
    expect((coin?.before ?? 0n) - (coin?.after ?? 0n)).toBe(parseEther('2'))
    expect(item).toMatchObject({ kind: 'owned', id: 1n, before: 0n, after: 1n })
    expect(others).toEqual([])
    expect(await sendAs(await plan(intent), honest(intent))).toMatchObject({ status: 'confirmed' })
  })

  test('shows both items of a swap within one collection', async () => {
    await sendAs(await plan(wish('buy', [2n])), honest(wish('buy', [2n])))
    expect(await changes(wish('swap', [2n, 3n]))).toMatchObject([
      { kind: 'owned', id: 2n, before: 1n, after: 0n },
      { kind: 'owned', id: 3n, before: 0n, after: 1n },
    ])
  })

  test('shows who may take an item, or all of them, and the approval of an item is confirmed', async () => {
    const approval = wish('approve', [stranger, 7n])
    expect(await changes(approval)).toMatchObject([{ kind: 'item', id: 7n, before: 0n, after: 1n }])
    expect(await sendAs(await plan(approval), honest(approval))).toMatchObject({ status: 'confirmed' })
    expect(await changes(wish('setApprovalForAll', [stranger, true]))).toMatchObject([
      { kind: 'collection', before: 0n, after: 1n },
    ])
  })

  test('does not believe an event that changes nothing', async () => {
    expect(await changes(wish('pretend', [1n]))).toEqual([])
  })
})
