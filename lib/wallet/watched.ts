import { checksumAddress, type Hex } from 'viem'
import { toUnits } from '#lib/page/quantity.ts'
import { eventTopics, isTopicOf, wordOf } from '../token/event-topics.ts'
import { type EventLog, readOf, type TokenRead, unitsInWord } from './effect.ts'
import { multicall3 } from './multicall3.ts'

/**
 * Something of an account that a spender may take. `item` and `collection` are approvals of ERC-721 and ERC-1155: of one item, and of
 * all that the account has or receives. `permit2` is an allowance that Permit2 has in its own books.
 */
export type ApprovalFigure =
  | { readonly kind: 'allowance' | 'permit2' | 'collection'; readonly token: Hex; readonly spender: Hex }
  | { readonly kind: 'item'; readonly token: Hex; readonly spender: Hex; readonly id: bigint }

/** A figure of the sender that a call may change. `items`: how many of this id the account has (ERC-1155). `owned`: 1 if it is the owner, else 0 (ERC-721). */
export type WatchedFigure =
  | { readonly kind: 'coin' }
  | { readonly kind: 'balance'; readonly token: Hex }
  | { readonly kind: 'items'; readonly token: Hex; readonly id: bigint }
  | { readonly kind: 'owned'; readonly token: Hex; readonly id: bigint; readonly owner: Hex }
  | ApprovalFigure

/** The same on every chain that has it. */
export const permit2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** Selectors of `decimals()` and `symbol()`. */
export const labelSelectors = ['0x313ce567', '0x95d89b41'] as const

/** Of ApprovalForAll, and of Permit2's Approval and Permit, which has its words by signature. */
const approvalForAll = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'
const permitTopics = [
  '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
]

/** The ERC-1155 events TransferSingle and TransferBatch. */
const itemTopics = [
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
]

/** The first topics of all events of approvals. The second is the owner. */
export const approvalTopics: readonly string[] = [eventTopics.approve, approvalForAll, ...permitTopics]

/** The call that reads a figure. */
export function readOfFigure(figure: WatchedFigure, from: Hex): TokenRead {
  switch (figure.kind) {
    case 'coin':
      // Its `getEthBalance(address)` reads the coin inside of a simulation.
      return { to: multicall3, data: `0x4d2301cc${wordOf(from)}` }
    case 'balance':
      return readOf.balance(figure.token, from)
    case 'items':
      return { to: figure.token, data: `0x00fdd58e${wordOf(from)}${numberWord(figure.id)}` }
    case 'owned':
      return ownerRead(figure)
    case 'allowance':
      return readOf.allowance(figure.token, from, figure.spender)
    case 'permit2':
      return {
        to: permit2,
        data: `0x927da105${wordOf(from)}${wordOf(figure.token)}${wordOf(figure.spender)}`,
      }
    case 'collection':
      return { to: figure.token, data: `0xe985e9c5${wordOf(from)}${wordOf(figure.spender)}` }
    case 'item':
      return { to: figure.token, data: `0x081812fc${numberWord(figure.id)}` }
  }
}

/** The call `ownerOf(uint256)` of ERC-721. */
export function ownerRead({ token, id }: { readonly token: Hex; readonly id: bigint }): TokenRead {
  return { to: token, data: `0x6352211e${numberWord(id)}` }
}

/** The calls that read the label of a figure's token. */
export function labelReads(figure: WatchedFigure): readonly TokenRead[] {
  return figure.kind === 'coin' ? [] : labelSelectors.map((data) => ({ to: figure.token, data }))
}

export function numberWord(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

/** The figure in an answer to its read; null where that is none. An approval of items is 1 where the spender may take them, else 0. */
export function figureIn(figure: WatchedFigure, answer: unknown): bigint | null {
  const isOfPermit2 = figure.kind === 'permit2' && typeof answer === 'string'
  const units = unitsInWord(isOfPermit2 ? answer.slice(0, 66) : answer)
  // A read fails for an item that is not minted yet, or is burnt.
  if (figure.kind === 'owned') return units === BigInt(figure.owner) ? 1n : 0n
  if (units === null || figure.kind !== 'item') return units
  return units === BigInt(figure.spender) ? 1n : 0n
}

/** The figures of an account that an event names. */
export function figuresOfLog(log: EventLog, from: Hex): readonly WatchedFigure[] {
  const [topic = '', one, other, third] = log.topics
  const token = addressIn(log.address)
  if (topic === eventTopics.transfer && token)
    return isTopicOf(one, from) || isTopicOf(other, from) ? [movedFigure(token, from, third)] : []
  if (itemTopics.includes(topic) && token)
    return isTopicOf(other, from) || isTopicOf(third, from)
      ? idsOf(log).map((id) => ({ kind: 'items', token, id }))
      : []
  const approval = approvalOfLog(log, from)
  return approval === null ? [] : [approval]
}

/** ERC-20 and ERC-721 have the same event of a transfer. The item is a fourth topic. */
function movedFigure(token: Hex, owner: Hex, item: string | undefined): WatchedFigure {
  const id = toUnits(item)
  return id === null ? { kind: 'balance', token } : { kind: 'owned', token, id, owner }
}

/** The ids in an ERC-1155 transfer. The data of a batch begins with the offset of the list of ids. */
function idsOf({ topics, data }: EventLog): readonly bigint[] {
  const words = (data.slice(2).match(/[0-9a-f]{64}/gi) ?? []).map((word) => BigInt(`0x${word}`))
  if (topics[0] === itemTopics[0]) return words.slice(0, 1)
  const start = Number(words[0]) / 32
  return words.slice(start + 1, start + 1 + Number(words[start]))
}

/** What an event says that somebody may take, which only the contract knows. ERC-20 and ERC-721 have the same one; an item is a fourth topic. */
export function approvalOfLog({ address, topics }: EventLog, owner: Hex): ApprovalFigure | null {
  const [topic = '', first, second, third] = topics
  const emitter = addressIn(address)
  const party = addressIn(second)
  if (emitter === null || party === null || !isTopicOf(first, owner)) return null
  if (permitTopics.includes(topic)) {
    const spender = addressIn(third)
    return emitter === permit2 && spender ? { kind: 'permit2', token: party, spender } : null
  }
  const figure = { token: emitter, spender: party }
  if (topic === approvalForAll) return { kind: 'collection', ...figure }
  if (topic !== eventTopics.approve) return null
  const id = toUnits(third)
  return id === null ? { kind: 'allowance', ...figure } : { kind: 'item', ...figure, id }
}

/** An address, or one in a 32-byte word. Null for the zero address: as the spender of an item it revokes the approval. */
function addressIn(text: string | undefined): Hex | null {
  const digits = /^0x(?:0{24})?(?!0{40}$)([0-9a-f]{40})$/i.exec(text ?? '')?.[1]
  return digits === undefined ? null : checksumAddress(`0x${digits}`)
}

/** The same for the same figure. */
export function keyOfFigure(figure: WatchedFigure): string {
  return Object.values(figure).join(' ').toLowerCase()
}
