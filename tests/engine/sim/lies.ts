import { hash32, hexDigits } from '../../support/chance.ts'
import { receiptObject } from './objects.ts'
import type { ParsedCall } from './parsed-call.ts'
import { mined } from './signed.ts'
import { type NodeReply, needAt, resultReply, stateAt } from './truth.ts'
import { type Block, blockAt, emitters, forge, hashOf, type Tip, topics } from './universe.ts'

type Plain = Readonly<Record<string, unknown>>

interface Lie {
  readonly chainId: number
  readonly tip: Tip
  readonly call: ParsedCall
  /** The block of the call, if it has one. */
  readonly block: Block | null
  readonly truth: NodeReply
  /** The group of the liar. A group tells the same lie. */
  readonly group: number
}

const nothing: NodeReply = { kind: 'result', shape: 'data', value: null, meaning: 'null' }

/** What an agreed block may contradict, so that it is no vote. */
const ofBlocks = /^eth_getLogs$|Receipt|^eth_get(Block|Transaction)By|BlockTransactionCount/

/** The answer of a group of liars. Sometimes it is the truth. */
export function lieOf(lie: Lie): NodeReply {
  const reply = lieTo(lie)
  const isDoubtful = ofBlocks.test(lie.call.method) && reply !== lie.truth
  return reply.kind === 'result' && isDoubtful ? { ...reply, isDoubtful } : reply
}

function lieTo(lie: Lie): NodeReply {
  const { call, truth, group, block, chainId } = lie
  const dice = hash32(`${call.method}|${call.subject}|${group}`, 17) % 100
  if (truth.kind === 'behind' || dice < 12) return truth
  switch (call.method) {
    case 'eth_getTransactionReceipt':
      return receiptLie(lie, dice)
    case 'eth_getTransactionByHash':
      if (truth.kind !== 'result' || truth.value === null || dice > 80) return nothing
      return dice < 40
        ? resultReply('transaction', { ...(truth.value as Plain), blockHash: forged(lie) })
        : dice < 65 || (truth.value as Plain).blockHash === null
          ? // The sender is not verified.
            resultReply('transaction', { ...(truth.value as Plain), from: `0x${'f'.repeat(40)}` })
          : // The hash does not match what was signed.
            evident(resultReply('transaction', { ...(truth.value as Plain), value: '0x1' }))
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
      return blockLie(lie, dice)
    case 'eth_getBlockTransactionCountByNumber':
      return resultReply('quantity', dice < 60 ? '0x63' : '0x0')
    case 'eth_getLogs':
      return logsLie(lie, dice)
    case 'eth_estimateGas':
      return resultReply('quantity', estimateLie(lie, dice))
    case 'eth_chainId':
      return truth
    case 'eth_call':
      // The liar confirms its own low estimate.
      if (truth.meaning === 'refusal vm-halt' && dice < 85)
        return resultReply('data', `0x${hexDigits(`${group}`, 64)}`)
      if (dice < 30) {
        const data = `0x08c379a0${hexDigits(`${group}`, 32)}`
        return { kind: 'reverted', data, meaning: `revert ${data}` }
      }
      break
    case 'eth_getTransactionCount':
      if (call.block.kind === 'tag') return resultReply('quantity', '0xffff')
      break
  }
  return block === null ? truth : stateAt(chainId, block, call, `group ${group}`)
}

function estimateLie({ chainId, block, call }: Lie, dice: number): string {
  const need = block === null ? 21_000 : needAt(chainId, block, call.subject)
  const lies = [30_000_000, 2n ** 256n - 1n, 0, 20_999, need - 1, need - 1, need + 5000, 1_000_000]
  return `0x${(lies[dice % lies.length] as number | bigint).toString(16)}`
}

function forged({ tip, group }: Lie): string {
  return hashOf(blockAt({ ...tip, branch: forge(tip.branch, tip.number, group) }, tip.number))
}

function receiptLie({ chainId, tip, truth, call }: Lie, dice: number): NodeReply {
  if (truth.kind !== 'result') return truth
  if (truth.value === null) {
    const index = mined.findIndex(({ hash }) => hash === call.subject)
    return dice < 60 && index >= 0 ? resultReply('receipt', receiptObject(chainId, tip, index)) : nothing
  }
  const receipt = truth.value as Plain
  if (dice < 55)
    return resultReply('receipt', { ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1' })
  if (dice < 65) return resultReply('receipt', { ...receipt, logs: [] })
  if (dice < 75) return resultReply('receipt', { ...receipt, to: `0x${'b'.repeat(40)}` })
  if (dice < 80) return resultReply('receipt', { ...receipt, contractAddress: `0x${'c'.repeat(40)}` })
  return nothing
}

function blockLie(lie: Lie, dice: number): NodeReply {
  const { truth } = lie
  // Only forgers lie about heads, and they are consistent.
  if (truth.kind !== 'result' || truth.value === null || lie.call.block.kind === 'tag') return truth
  const block = truth.value as Plain
  if (dice < 40) return resultReply('block', { ...block, stateRoot: `0x${hexDigits(`${lie.group}`, 64)}` })
  if (dice < 55) return resultReply('block', { ...block, timestamp: '0x1' })
  if (dice < 70) return resultReply('block', { ...block, transactions: [] })
  if (dice < 85) {
    const other = resultReply('block', { ...block, hash: forged(lie) })
    return lie.call.method === 'eth_getBlockByHash' ? evident(other) : other
  }
  return nothing
}

function evident(reply: NodeReply): NodeReply {
  return reply.kind === 'result' ? { ...reply, isEvident: true } : reply
}

function logsLie({ truth, block, group, tip, call }: Lie, dice: number): NodeReply {
  if (truth.kind !== 'result') return truth
  const logs = truth.value as readonly Plain[]
  if (logs.length > 0 && dice < 40) return resultReply('logs', [])
  if (logs.length > 0 && dice < 60) return resultReply('logs', logs.slice(1))
  if (logs.length > 0 && dice < 80)
    return resultReply('logs', logs.with(0, { ...logs[0], data: `0x${hexDigits(`${group}`, 64)}` }))
  const home = block ?? tip
  const [emitter, topic] = call.subject.split(',').map(Number)
  return resultReply('logs', [
    {
      address: emitters[emitter ?? 0],
      topics: [topics[topic ?? 0]],
      data: `0x${hexDigits(`${group}`, 64)}`,
      blockHash: hashOf(home),
      blockNumber: `0x${home.number.toString(16)}`,
      transactionHash: mined[0]?.hash,
      transactionIndex: '0x0',
      logIndex: '0x0',
      removed: false,
    },
    ...logs,
  ])
}
