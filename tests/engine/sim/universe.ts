import { keccak_256 } from '@noble/hashes/sha3.js'
import { hash32, hexDigits } from '../../support/chance.ts'
import { mined } from './signed.ts'

/**
 * The true chain: blocks, branches and their contents. A hash identifies its block, and a value is derived from the call
 * and the block hash, so a misplaced value reveals its origin. Nothing here depends on a seed; a world only decides which
 * node sees which branch when.
 */
export interface Block {
  readonly salt: number
  readonly branch: number
  readonly number: number
}

/** The latest block of a node or of the chain. */
export type Tip = Block

/** The block number at the start of every world. */
export const startNumber = 1000
export const safeDepth = 8
export const finalDepth = 16

interface Branch {
  readonly parent: number
  readonly from: number
}

const branches = new Map<number, Branch>([[0, { parent: 0, from: 0 }]])

/** A branch of `parent` that starts at block `from`. `variation` distinguishes branches with the same start. */
export function branchOff(parent: number, from: number, variation: number): number {
  // Bit 31 marks forged branches.
  const id = (hash32(`${parent}:${from}:${variation}`, 7) & 0x3fffffff) | 0x40000000
  branches.set(id, { parent, from })
  return id
}

/** A forged branch that was never on a chain. */
export function forge(parent: number, from: number, variation: number): number {
  const id = ((hash32(`${parent}:${from}:${variation}`, 11) & 0x3fffffff) | 0x80000000) >>> 0
  branches.set(id, { parent, from })
  return id
}

export const isForged = (branch: number): boolean => branch >= 0x80000000

export function blockAt(tip: Tip, number: number): Block {
  let { branch } = tip
  for (;;) {
    const { parent, from } = branches.get(branch) as Branch
    if (number >= from) return { salt: tip.salt, branch, number }
    branch = parent
  }
}

export function isOn(tip: Tip, block: Block): boolean {
  return (
    tip.salt === block.salt &&
    block.number <= tip.number &&
    blockAt(tip, block.number).branch === block.branch
  )
}

const filler = '5ea1'.repeat(9)

export function hashOf({ salt, branch, number }: Block): string {
  return `0x${pad(salt)}${pad(branch)}${number.toString(16).padStart(12, '0')}${filler}`
}

/** The block with this hash; null for unknown hashes. */
export function blockOf(hash: string): Block | null {
  if (hash.length !== 66 || hash.slice(30).toLowerCase() !== filler) return null
  return {
    salt: Number.parseInt(hash.slice(2, 10), 16),
    branch: Number.parseInt(hash.slice(10, 18), 16),
    number: Number.parseInt(hash.slice(18, 30), 16),
  }
}

const pad = (value: number) => value.toString(16).padStart(8, '0')

/** Blocks of the mined transactions on the main branch, relative to the start. */
const minedAt = [-100, -60, -25, -12, -3, -1, 0, 1, 2, 4]

/** The block number of a transaction on this branch; null if a reorg dropped it. */
export function inclusionOf(branch: number, index: number): number | null {
  const { parent, from } = branches.get(branch) as Branch
  if (branch === 0) return startNumber + (minedAt[index] ?? 0)
  const there = inclusionOf(parent, index)
  if (there !== null && there < from) return there
  const shift = hash32(`${branch}`, index) % 4
  return shift === 3 ? null : Math.max(there ?? from, from) + shift
}

export function transactionsIn(block: Block): readonly number[] {
  const found: number[] = []
  for (let index = 0; index < mined.length; index++)
    if (inclusionOf(block.branch, index) === block.number) found.push(index)
  return found
}

export const emitters = [1, 2, 3].map((index) => `0x${'e'.repeat(39)}${index}`)
export const topics = [1, 2, 3].map((index) => `0x${'7'.repeat(63)}${index}`)

/** The logs of a transaction in a block, as (emitter, topic, data). */
export function logsOf(chainId: number, block: Block, index: number) {
  return Array.from({ length: (index + 1) % 4 }, (_, position) => ({
    address: emitters[(index + position) % emitters.length] as string,
    // The address of one log and the topic of another make the bloom match a log that does not exist.
    topics: [topics[(index + 2 * position) % topics.length] as string],
    data: `0x${hexDigits(`log${chainId}${hashOf(block)}${index}.${position}`, 64)}`,
    logIndex: index * 4 + position,
  }))
}

const bitsOf = new Map<string, readonly number[]>()

/** The logs bloom of these hex values: three bits each (Yellow Paper, 4.3.1). */
export function bloomOf(values: readonly string[]): string {
  const bytes = new Uint8Array(256)
  for (const value of values) {
    let bits = bitsOf.get(value)
    if (bits === undefined) {
      const digest = keccak_256(Uint8Array.from(Buffer.from(value.slice(2), 'hex')))
      bits = [0, 2, 4].map((at) => (((digest[at] as number) << 8) | (digest[at + 1] as number)) & 2047)
      bitsOf.set(value, bits)
    }
    for (const bit of bits) bytes[255 - (bit >> 3)] = (bytes[255 - (bit >> 3)] as number) | (1 << (bit & 7))
  }
  return `0x${Buffer.from(bytes).toString('hex')}`
}
