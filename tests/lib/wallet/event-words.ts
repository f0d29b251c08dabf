import { concatHex, encodeAbiParameters, type Hex, numberToHex } from 'viem'
import { token } from './accounts.ts'

/** A value or an address as 32 bytes. */
export const word = (value: string | bigint): Hex => numberToHex(BigInt(value), { size: 32 })
export const words = (...values: readonly (string | bigint)[]): Hex => concatHex(values.map(word))

/** A text as a contract returns it. */
export const textReply = (text: string): Hex => encodeAbiParameters([{ type: 'string' }], [text])

/** What a token of six decimals says of itself, by selector. */
export const labelReplies: Readonly<Record<string, Hex>> = {
  '0x313ce567': word(6n),
  '0x95d89b41': textReply('DUSD'),
}

/** The first topics of the events that a wallet's page reads. */
export const topics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  single: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  batch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  forAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  permit2Approval: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  permit2Permit: '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
} as const

/** An event of the token: the accounts and ids in its topics, and the numbers in its data. */
export const tokenEvent = (
  name: keyof typeof topics,
  named: readonly (string | bigint)[],
  ...data: readonly bigint[]
) => ({ address: token, topics: [topics[name], ...named.map(word)], data: words(...data) })
