import { keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type DemoCall, type DemoReply, type Say, speak } from '../../../../demo/nodes/demo-call.ts'
import type { Scripted } from '../../../../demo/nodes/node.ts'
import { blockAt, hashOf, hex, logAt, receiptAt, transactionHashOf } from '../../../support/scripted-chain.ts'

export const methodKinds = ['balance', 'block', 'receipt', 'logs', 'reverted', 'send'] as const
export type MethodKind = (typeof methodKinds)[number]

/** Params of a method, the true answer, and the common lie of all liars. */
interface Question {
  readonly method: string
  /** The n-th call of its kind. All are different. */
  readonly params: (n: number, chainId: number) => Promise<readonly unknown[]> | readonly unknown[]
  readonly truth: (call: DemoCall) => DemoReply
  readonly lie: (call: DemoCall) => DemoReply
}

const account = (n: number) => `0x${n.toString(16).padStart(40, 'a0')}`
const head = 1000
const liarsHead = 2000
const liarsFork = { name: 'lie', from: 900 }
const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const revert = (data: string): DemoReply => ({ error: { code: 3, message: 'execution reverted', data } })
const addressIn = ({ params }: DemoCall) => (params[0] as { address: string }).address
const numberIn = ({ params }: DemoCall) => Number(params[0])

export const questions: Readonly<Record<MethodKind, Question>> = {
  balance: {
    method: 'eth_getBalance',
    params: (n) => [account(n), 'latest'],
    truth: () => ({ result: '0x10' }),
    lie: () => ({ result: '0x99' }),
  },
  block: {
    method: 'eth_getBlockByNumber',
    params: (n) => [hex(head - 20 - n), false],
    truth: (call) => ({ result: blockAt(numberIn(call)) }),
    lie: (call) => ({ result: blockAt(numberIn(call), liarsFork) }),
  },
  receipt: {
    method: 'eth_getTransactionReceipt',
    params: (n) => [transactionHashOf(n)],
    truth: ({ params }) => ({ result: receiptAt(head, { transactionHash: params[0] }) }),
    lie: ({ params }) => ({ result: receiptAt(head, { transactionHash: params[0], status: '0x0' }) }),
  },
  logs: {
    method: 'eth_getLogs',
    params: (n) => [{ address: account(n), fromBlock: 'latest', toBlock: 'latest' }],
    truth: (call) => ({ result: [logAt(head, 0, { address: addressIn(call) })] }),
    lie: (call) => ({ result: [logAt(head, 0, { address: addressIn(call), data: '0x99' })] }),
  },
  reverted: {
    method: 'eth_call',
    params: (n) => [{ to: account(n), data: '0x01' }, 'latest'],
    truth: () => revert('0x08c379a0aa'),
    lie: () => ({ result: '0x99' }),
  },
  send: {
    method: 'eth_sendRawTransaction',
    params: async (nonce, chainId) => [
      await signer.signTransaction({
        chainId,
        nonce,
        gas: 21_000n,
        gasPrice: 9n,
        to: '0x'.padEnd(42, '2') as '0x',
        value: 1n,
      }),
    ],
    truth: ({ params }) => ({ result: keccak256(params[0] as `0x${string}`) }),
    lie: () => ({ result: hashOf(99) }),
  },
}

const scripted = (say: Say): Scripted => ({ kind: 'scripted', behave: (incoming) => speak(incoming, say) })

/** An honest node of the made-up chain. */
export const honest = (kind: MethodKind, chainId: number) => scripted(answerOf(kind, chainId))

function answerOf(kind: MethodKind, chainId: number): (call: DemoCall) => DemoReply {
  const { method, truth } = questions[kind]
  return (call) => {
    if (call.method === 'eth_chainId') return { result: hex(chainId) }
    if (call.method === 'eth_blockNumber') return { result: hex(head) }
    if (call.method === 'eth_getBlockByNumber') return blockOn(call, head)
    return call.method === method ? truth(call) : { error: { code: -32601, message: 'not here' } }
  }
}

/** A node that lies about one method, or about every block as well. All liars tell the same lie. */
export function liar(kind: MethodKind, chainId: number, isWhole: boolean): Scripted {
  const { method, lie } = questions[kind]
  const answer = answerOf(kind, chainId)
  return scripted((call) => {
    const isLook = call.method === 'eth_getBlockByNumber' && !isAsked(call)
    if (call.method === method && !isLook) return lie(call)
    return isLook && isWhole ? blockOn(call, liarsHead, liarsFork) : answer(call)
  })
}

/** Block numbers that head looks never ask for. */
const isAsked = (call: DemoCall) => numberIn(call) < head - 10

function blockOn({ params }: DemoCall, latest: number, fork: typeof liarsFork | null = null): DemoReply {
  const tags: Readonly<Record<string, number>> = { latest, safe: latest - 2, finalized: latest - 4 }
  const number = tags[String(params[0])] ?? Number(params[0])
  return { result: number > latest ? null : blockAt(number, fork) }
}
