import type { Asked } from './asked.ts'
import { hash32, hexDigits } from './chance.ts'
import { receiptObject } from './objects.ts'
import { mined } from './signed.ts'
import { needAt, type Saying, saying, stateAt } from './truth.ts'
import { type Block, blockAt, emitters, forge, hashOf, type Tip, topics } from './universe.ts'

type Plain = Readonly<Record<string, unknown>>

interface Lie {
  readonly chainId: number
  readonly tip: Tip
  readonly asked: Asked
  /** The block of the call, if it has one. */
  readonly block: Block | null
  readonly truth: Saying
  /** The group of the liar. A group tells the same lie. */
  readonly group: number
}

const nothing: Saying = { kind: 'result', shape: 'data', value: null, meaning: 'null' }

/** What an agreed block may contradict, so that it is no vote. */
const ofBlocks = /^eth_getLogs$|Receipt|^eth_get(Block|Transaction)By|BlockTransactionCount/

/** The answer of a group of liars. Sometimes it is the truth. */
export function lieOf(lie: Lie): Saying {
  const said = wordOf(lie)
  const isDoubtful = ofBlocks.test(lie.asked.method) && said !== lie.truth
  return said.kind === 'result' && isDoubtful ? { ...said, isDoubtful } : said
}

function wordOf(lie: Lie): Saying {
  const { asked, truth, group, block, chainId } = lie
  const dice = hash32(`${asked.method}|${asked.subject}|${group}`, 17) % 100
  if (truth.kind === 'behind' || dice < 12) return truth
  switch (asked.method) {
    case 'eth_getTransactionReceipt':
      return receiptLie(lie, dice)
    case 'eth_getTransactionByHash':
      if (truth.kind !== 'result' || truth.value === null || dice > 80) return nothing
      return dice < 40
        ? saying('transaction', { ...(truth.value as Plain), blockHash: forged(lie) })
        : dice < 65 || (truth.value as Plain).blockHash === null
          ? // The sender is not verified.
            saying('transaction', { ...(truth.value as Plain), from: `0x${'f'.repeat(40)}` })
          : // The hash does not match what was signed.
            evident(saying('transaction', { ...(truth.value as Plain), value: '0x1' }))
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
      return blockLie(lie, dice)
    case 'eth_getBlockTransactionCountByNumber':
      return saying('quantity', dice < 60 ? '0x63' : '0x0')
    case 'eth_getLogs':
      return logsLie(lie, dice)
    case 'eth_estimateGas':
      return saying('quantity', estimateLie(lie, dice))
    case 'eth_chainId':
      return truth
    case 'eth_call':
      // The liar confirms its own low estimate.
      if (truth.meaning === 'refusal vm-halt' && dice < 85)
        return saying('data', `0x${hexDigits(`${group}`, 64)}`)
      if (dice < 30) {
        const data = `0x08c379a0${hexDigits(`${group}`, 32)}`
        return { kind: 'reverted', data, meaning: `revert ${data}` }
      }
      break
    case 'eth_getTransactionCount':
      if (asked.block.kind === 'tag') return saying('quantity', '0xffff')
      break
  }
  return block === null ? truth : stateAt(chainId, block, asked, `group ${group}`)
}

function estimateLie({ chainId, block, asked }: Lie, dice: number): string {
  const need = block === null ? 21_000 : needAt(chainId, block, asked.subject)
  const lies = [30_000_000, 2n ** 256n - 1n, 0, 20_999, need - 1, need - 1, need + 5000, 1_000_000]
  return `0x${(lies[dice % lies.length] as number | bigint).toString(16)}`
}

function forged({ tip, group }: Lie): string {
  return hashOf(blockAt({ ...tip, branch: forge(tip.branch, tip.number, group) }, tip.number))
}

function receiptLie({ chainId, tip, truth, asked }: Lie, dice: number): Saying {
  if (truth.kind !== 'result') return truth
  if (truth.value === null) {
    const index = mined.findIndex(({ hash }) => hash === asked.subject)
    return dice < 60 && index >= 0 ? saying('receipt', receiptObject(chainId, tip, index)) : nothing
  }
  const receipt = truth.value as Plain
  if (dice < 55) return saying('receipt', { ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1' })
  if (dice < 65) return saying('receipt', { ...receipt, logs: [] })
  if (dice < 75) return saying('receipt', { ...receipt, to: `0x${'b'.repeat(40)}` })
  if (dice < 80) return saying('receipt', { ...receipt, contractAddress: `0x${'c'.repeat(40)}` })
  return nothing
}

function blockLie(lie: Lie, dice: number): Saying {
  const { truth } = lie
  // Only forgers lie about heads, and they are consistent.
  if (truth.kind !== 'result' || truth.value === null || lie.asked.block.kind === 'tag') return truth
  const block = truth.value as Plain
  if (dice < 40) return saying('block', { ...block, stateRoot: `0x${hexDigits(`${lie.group}`, 64)}` })
  if (dice < 55) return saying('block', { ...block, timestamp: '0x1' })
  if (dice < 70) return saying('block', { ...block, transactions: [] })
  if (dice < 85) {
    const other = saying('block', { ...block, hash: forged(lie) })
    return lie.asked.method === 'eth_getBlockByHash' ? evident(other) : other
  }
  return nothing
}

function evident(said: Saying): Saying {
  return said.kind === 'result' ? { ...said, isEvident: true } : said
}

function logsLie({ truth, block, group, tip, asked }: Lie, dice: number): Saying {
  if (truth.kind !== 'result') return truth
  const logs = truth.value as readonly Plain[]
  if (logs.length > 0 && dice < 40) return saying('logs', [])
  if (logs.length > 0 && dice < 60) return saying('logs', logs.slice(1))
  if (logs.length > 0 && dice < 80)
    return saying('logs', logs.with(0, { ...logs[0], data: `0x${hexDigits(`${group}`, 64)}` }))
  const home = block ?? tip
  const [emitter, topic] = asked.subject.split(',').map(Number)
  return saying('logs', [
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
