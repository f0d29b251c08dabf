import { encodeFunctionData, type Hex } from 'viem'
import { tokenAbi } from '../../../../demo/history.ts'
import { callNode } from '../../../../demo/json-rpc.ts'
import { type Chance, createChance } from '../../../support/chance.ts'
import type { ZooChain } from './chain.ts'

export type RandomCall = readonly [method: string, params: readonly unknown[]]

/** Existing and missing objects that calls can be about. */
interface Population {
  readonly chain: ZooChain
  readonly accounts: readonly Hex[]
  readonly contracts: readonly Hex[]
  /** Hashes of blocks with and without transactions, and one of no block. */
  readonly blocks: readonly Hex[]
  readonly transactions: readonly Hex[]
}

const absent = `0x${'ab'.repeat(32)}` as const
const stranger = `0x${'5a'.repeat(20)}` as const
/** Most clients keep the state of 128 blocks. */
const stateDepth = 100
const blocksDepth = 400

export async function populationOf(chain: ZooChain): Promise<Population> {
  const accounts = await callNode<readonly Hex[]>(chain.url, 'eth_accounts')
  const numbers = Array.from({ length: blocksDepth }, (_, back) => chain.head - back)
  const blocks = await Promise.all(
    numbers.map((number) =>
      callNode<{ hash: Hex; transactions: readonly Hex[] }>(chain.url, 'eth_getBlockByNumber', [
        hex(number),
        false,
      ]),
    ),
  )
  return {
    chain,
    accounts: [...accounts, stranger],
    contracts: [chain.token, chain.noisy, chain.reverting],
    blocks: [...blocks.map(({ hash }) => hash), absent],
    transactions: [...blocks.flatMap(({ transactions }) => transactions), absent],
  }
}

/** Calls of every read method, drawn from a seed. */
export function randomCalls(population: Population, seed: number, count: number): readonly RandomCall[] {
  const draw = createChance(seed)
  const names = Object.keys(methods)
  return Array.from({ length: count }, () => {
    const method = draw.pick(names)
    return [method, methods[method]?.(population, draw) ?? []]
  })
}

type Draw = (population: Population, chance: Chance) => readonly unknown[]

const hex = (number: number) => `0x${number.toString(16)}`
const slot = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

/** A block whose state every node still has. */
function stateBlock({ chain, blocks }: Population, chance: Chance): unknown {
  const back = chance.int(stateDepth)
  return chance.weighted<unknown>([
    [6, hex(chain.head - back)],
    [3, 'latest'],
    [1, 'safe'],
    [1, 'finalized'],
    [2, { blockHash: blocks[back] }],
    [1, { blockNumber: hex(chain.head - back) }],
    [1, hex(chain.head + 20 + back)],
  ])
}

function anyBlock({ chain }: Population, chance: Chance): unknown {
  return chance.weighted<unknown>([
    [8, hex(chain.head - chance.int(blocksDepth))],
    [2, 'latest'],
    [1, 'safe'],
    [1, 'finalized'],
    [1, hex(chain.head + 20 + chance.int(1000))],
  ])
}

const anyHash: Draw = ({ blocks }, chance) => [chance.pick(blocks)]
const anyAccount = ({ accounts, contracts }: Population, chance: Chance) =>
  chance.pick([...accounts, ...contracts])

/** Reads, transfers, reverts, calls that run out of gas, calls to empty accounts. */
function callObject(population: Population, chance: Chance): unknown {
  const { chain, accounts } = population
  const [from, to] = [chance.pick(accounts), chance.pick(accounts)]
  const amount = BigInt(chance.pick([0, 1, 1_000_000, 10 ** 15]))
  return chance.weighted<unknown>([
    [
      4,
      { to: chain.token, data: encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [to] }) },
    ],
    [3, { from, to: chain.token, data: transferOf(to, amount) }],
    [2, { to: chain.reverting, data: '0x01' }],
    [1, { to: chain.noisy, gas: hex(30_000 + chance.int(50_000)) }],
    [1, { from, to, value: '0x1' }],
    [1, { to: stranger, input: '0x1234' }],
  ])
}

function transferOf(to: Hex, amount: bigint): Hex {
  return encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

function logFilter({ chain, contracts, blocks }: Population, chance: Chance): unknown {
  const from = chain.head - chance.int(blocksDepth)
  const to = Math.min(chain.head, from + chance.int(blocksDepth))
  const what = chance.weighted<object>([
    [2, { address: chain.token }],
    [1, { address: [chain.token, chain.reverting], topics: [transferTopic] }],
    [1, { topics: [[transferTopic, absent]], address: chance.pick(contracts.slice(0, 1)) }],
    [1, { address: stranger }],
  ])
  return chance.roll(0.2)
    ? { ...what, blockHash: blocks[chance.int(blocksDepth)] }
    : { ...what, fromBlock: hex(from), toBlock: chance.roll(0.2) ? 'latest' : hex(to) }
}

/** Every read method and its random params. */
const methods: Readonly<Record<string, Draw>> = {
  eth_chainId: () => [],
  eth_blockNumber: () => [],
  eth_getBalance: (population, chance) => [anyAccount(population, chance), stateBlock(population, chance)],
  eth_getCode: (population, chance) => [anyAccount(population, chance), stateBlock(population, chance)],
  eth_getTransactionCount: (population, chance) => [
    anyAccount(population, chance),
    stateBlock(population, chance),
  ],
  eth_getStorageAt: (population, chance) => [
    chance.pick(population.contracts),
    slot(chance.int(8)),
    stateBlock(population, chance),
  ],
  eth_getProof: (population, chance) => [
    anyAccount(population, chance),
    [slot(chance.int(8))],
    stateBlock(population, chance),
  ],
  eth_call: (population, chance) => [callObject(population, chance), stateBlock(population, chance)],
  eth_estimateGas: (population, chance) => [callObject(population, chance), stateBlock(population, chance)],
  eth_createAccessList: (population, chance) => [
    callObject(population, chance),
    stateBlock(population, chance),
  ],
  eth_feeHistory: ({ chain }, chance) => [
    hex(1 + chance.int(20)),
    chance.roll(0.5) ? 'latest' : hex(chain.head - chance.int(stateDepth)),
    chance.pick<readonly number[]>([[], [50], [10, 50, 90]]),
  ],
  eth_getLogs: (population, chance) => [logFilter(population, chance)],
  eth_getBlockByNumber: (population, chance) => [anyBlock(population, chance), chance.roll(0.5)],
  eth_getBlockByHash: ({ blocks }, chance) => [chance.pick(blocks), chance.roll(0.5)],
  eth_getBlockReceipts: (population, chance) => [anyBlock(population, chance)],
  eth_getBlockTransactionCountByNumber: (population, chance) => [anyBlock(population, chance)],
  eth_getBlockTransactionCountByHash: anyHash,
  eth_getUncleCountByBlockNumber: (population, chance) => [anyBlock(population, chance)],
  eth_getUncleCountByBlockHash: anyHash,
  eth_getTransactionByHash: ({ transactions }, chance) => [chance.pick(transactions)],
  eth_getTransactionReceipt: ({ transactions }, chance) => [chance.pick(transactions)],
  eth_getTransactionByBlockNumberAndIndex: (population, chance) => [
    anyBlock(population, chance),
    hex(chance.int(2)),
  ],
  eth_getTransactionByBlockHashAndIndex: ({ blocks }, chance) => [chance.pick(blocks), hex(chance.int(2))],
}

export const readMethods: readonly string[] = Object.keys(methods)
