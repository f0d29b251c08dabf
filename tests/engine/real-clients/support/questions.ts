import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tokenAbi } from '../../../../demo/history.ts'
import { type Answered, saysTheSame } from '../../../support/same-answer.ts'
import type { ClientChain } from './chain.ts'

export interface Question {
  /** Heading in the table. */
  readonly name: string
  readonly method: string
  readonly params: (chain: ClientChain, copy: number) => readonly unknown[] | Promise<readonly unknown[]>
  /** Whether the answer is right. By default it must equal the answer of the chain. */
  readonly isRight?: (answer: Answered, truth: Answered) => boolean
  /** Asked as a batch of this many calls. Nodes are asked but once for those with the same params. */
  readonly copies?: number
}

const hex = (number: number) => `0x${number.toString(16)}`
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const holder = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Two accounts with balances of their own, and empty ones. */
const holders = [
  account,
  holder,
  ...Array.from({ length: 18 }, (_, index) => `0x${hash(`${index + 10}`).slice(-40)}`),
]

const balanceOf = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [holder] })
const transfer = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [holder, 1n] })

/** Clients search for estimates differently, but none is below the gas that the call needs. */
const isEnoughGas = ({ result }: Answered, { result: needed }: Answered) =>
  Number(result) >= Number(needed) && Number(result) <= Number(needed) * 1.1

/** nethermind's gasUsed includes the cost of the list. */
const isSameList = ({ result }: Answered, { result: truth }: Answered) =>
  saysTheSame(listOf(result), listOf(truth))
const listOf = (result: unknown) => (result as { accessList: unknown } | undefined)?.accessList ?? 'none'

/** A refusal with the message that clients match. */
const says = (words: RegExp) => (answer: Answered) => words.test(answer.error?.message ?? '')

/** Params of which the last is the head, or a block before it. */
const atHead =
  (first: string | ((chain: ClientChain) => unknown), back = 0) =>
  (chain: ClientChain) => [typeof first === 'function' ? first(chain) : first, hex(chain.head - back)]
const transferring = ({ token }: ClientChain) => ({ from: account, to: token, data: transfer })

/** One row for each kind of call on which clients and providers differ. */
export const questions: readonly Question[] = [
  { name: 'balance', method: 'eth_getBalance', params: atHead(account) },
  { name: 'balance, 200 blocks back', method: 'eth_getBalance', params: atHead(account, 200) },
  { name: 'block', method: 'eth_getBlockByNumber', params: ({ block }) => [hex(block), true] },
  {
    name: 'block above the head',
    method: 'eth_getBlockByNumber',
    params: ({ head }) => [hex(head + 50), false],
  },
  { name: 'transaction', method: 'eth_getTransactionByHash', params: ({ transaction }) => [transaction] },
  { name: 'receipt', method: 'eth_getTransactionReceipt', params: ({ transaction }) => [transaction] },
  { name: 'receipts of a block', method: 'eth_getBlockReceipts', params: ({ block }) => [hex(block)] },
  { name: 'unknown receipt', method: 'eth_getTransactionReceipt', params: () => [hash('11')] },
  { name: 'call', method: 'eth_call', params: atHead(({ token }) => ({ to: token, data: balanceOf })) },
  { name: 'reverted', method: 'eth_call', params: atHead(({ reverting }) => ({ to: reverting })) },
  {
    name: 'out of the given gas',
    method: 'eth_call',
    params: atHead(({ noisy }) => ({ to: noisy, gas: '0x9c40' })),
  },
  { name: 'estimate', method: 'eth_estimateGas', params: atHead(transferring), isRight: isEnoughGas },
  { name: 'access list', method: 'eth_createAccessList', params: atHead(transferring), isRight: isSameList },
  {
    name: 'proof',
    method: 'eth_getProof',
    params: ({ token, head }) => [token, [`0x${'0'.repeat(64)}`], hex(head)],
  },
  { name: 'fee history', method: 'eth_feeHistory', params: ({ head }) => ['0x4', hex(head), [50]] },
  {
    name: 'simulation',
    method: 'eth_simulateV1',
    params: atHead((chain) => ({ blockStateCalls: [{ calls: [transferring(chain)] }] })),
  },
  { name: 'logs, 5 blocks', method: 'eth_getLogs', params: logsOf('token', 5) },
  { name: 'logs, 2,000 blocks', method: 'eth_getLogs', params: logsOf('token', 2000) },
  { name: 'logs, 10,000 blocks', method: 'eth_getLogs', params: logsOf('token', 10_000) },
  { name: '10,200 logs', method: 'eth_getLogs', params: logsOf('noisy', 100) },
  {
    name: 'a batch of 20 balances',
    method: 'eth_getBalance',
    // The connection that it takes may lead to a node that is a block behind.
    params: ({ head }, copy) => [holders[copy], hex(head - 1)],
    copies: holders.length,
  },
  {
    name: 'a used nonce',
    method: 'eth_sendRawTransaction',
    params: ({ id }) => signed(id, firstKey),
    isRight: says(/nonce too low/),
  },
  {
    name: 'a transaction without funds',
    method: 'eth_sendRawTransaction',
    params: ({ id }) => signed(id, poorKey),
    isRight: says(/insufficient funds/),
  },
]

/** anvil's first account, and an empty account. */
const firstKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const poorKey = `0x${'77'.repeat(32)}` as const

async function signed(chainId: number, key: Hex): Promise<readonly unknown[]> {
  const fees = { gas: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
  const transaction = { chainId, nonce: 0, to: holder, value: 1n, ...fees } as const
  return [await privateKeyToAccount(key).signTransaction(transaction)]
}

function logsOf(contract: 'token' | 'noisy', blocks: number) {
  return (chain: ClientChain) => [
    { address: chain[contract], fromBlock: hex(chain.head - blocks + 1), toBlock: hex(chain.head) },
  ]
}

function hash(byte: string): Hex {
  return `0x${byte.repeat(32)}`
}
