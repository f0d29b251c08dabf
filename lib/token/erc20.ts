import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, hexToBytes } from 'viem'
import { agreedValue, type ReadCall, type Reading, weakestOf } from '#lib/page/reading.ts'
import { type QuorumRead, QuorumReadError } from '#lib/reads/quorum-read.ts'
import type { LabelDoubt } from '../page/texts/token.ts'
import { isListed, labelDoubts } from './label-doubts.ts'
import { decimalsMax } from './token-list.ts'

/** An ERC-20's own facts and one account's balance. Amounts are in the token's smallest units. */
export interface TokenFacts {
  readonly address: `0x${string}`
  readonly name: string
  readonly symbol: string
  /** Whether this site lists it; if not, its name is only what it says of itself. */
  readonly isListed: boolean
  readonly doubts: readonly LabelDoubt[]
  readonly decimals: number
  readonly supply: string
  /** Null without an account. */
  readonly balance: string | null
}

/** Names and symbols are written by the token's author, so they are truncated. */
const labelCharactersMax = 59

const getters = ['decimals', 'totalSupply', 'name', 'symbol'] as const

/** For one batch, so that all answers are of the same block. */
export function tokenQuestions(token: `0x${string}`, owner: `0x${string}` | undefined): readonly ReadCall[] {
  const balance = (account: `0x${string}`) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  return [...getterQuestions(token, getters), ...(owner ? [callQuestion(token, balance(owner))] : [])]
}

/** Of the answers to these, `readLabel` decodes the values. */
export function labelQuestions(token: `0x${string}`): readonly ReadCall[] {
  return getterQuestions(token, ['decimals', 'symbol'])
}

function getterQuestions(
  token: `0x${string}`,
  names: readonly (typeof getters)[number][],
): readonly ReadCall[] {
  return names.map((functionName) => callQuestion(token, encodeFunctionData({ abi: erc20Abi, functionName })))
}

function callQuestion(to: `0x${string}`, data: Hex): ReadCall {
  return { method: 'eth_call', params: [{ to, data }, 'latest'] }
}

/**
 * Decodes the answers to `tokenQuestions`, with the supply's certificate. Throws QuorumReadError: `refused` is no token. Decimals and
 * supply are required, name and symbol are not.
 */
export function readToken(
  { chainId, address }: { readonly chainId: number; readonly address: `0x${string}` },
  readings: readonly Reading[],
): QuorumRead<TokenFacts> {
  const failure = readings.find((reading) => reading.state === 'refused' && reading.why !== 'refused')
  if (failure?.state === 'refused') throw new QuorumReadError(failure.why, failure.answer)
  const [decimals, supply, name, symbol, balance] = readings
  if (decimals === undefined || readings.some(({ state }) => state === 'waiting'))
    throw new QuorumReadError('waiting', null)
  const decimalPlaces = unitsOf('decimals', agreedValue(decimals))
  const total = unitsOf('totalSupply', agreedValue(supply))
  const accountBalance = balance && unitsOf('balanceOf', agreedValue(balance))
  if (decimalPlaces === null || decimalPlaces > decimalsMax || total === null || accountBalance === null)
    throw new QuorumReadError('refused', null)
  const agreed = readings.filter((reading) => reading.state === 'agreed')
  const label = { name: labelOf('name', agreedValue(name)), symbol: labelOf('symbol', agreedValue(symbol)) }
  return {
    value: {
      address,
      ...label,
      isListed: isListed({ chainId, address }),
      doubts: labelDoubts({ chainId, address, ...label }),
      decimals: Number(decimalPlaces),
      supply: String(total),
      balance: accountBalance === undefined ? null : String(accountBalance),
    },
    block: decimals.state === 'agreed' ? decimals.block : null,
    evidence: weakestOf(agreed.map(({ quorum }) => quorum)),
    certificateId: supply?.state === 'agreed' ? supply.answer : null,
  }
}

/** How a token writes its amounts, from its answers to `decimals()` and `symbol()`; null where it has no decimals. */
export function readLabel(decimals: unknown, symbol: unknown): { symbol: string; decimals: number } | null {
  const decimalPlaces = unitsOf('decimals', decimals)
  if (decimalPlaces === null || decimalPlaces > decimalsMax) return null
  return { symbol: labelOf('symbol', symbol), decimals: Number(decimalPlaces) }
}

/** Both take the same arguments: an address and an amount. */
export type TokenAction = 'transfer' | 'approve'

export function tokenCall(action: TokenAction, party: `0x${string}`, value: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: action, args: [party, value] })
}

function unitsOf(functionName: 'decimals' | 'totalSupply' | 'balanceOf', value: unknown): bigint | null {
  const data = wordsOf(value)
  if (data === null) return null
  try {
    return BigInt(decodeFunctionResult({ abi: erc20Abi, functionName, data } as never) as bigint | number)
  } catch {
    return null
  }
}

/** Removes control, format and direction characters, with which a name could imitate another one. */
function labelOf(functionName: 'name' | 'symbol', value: unknown): string {
  const data = wordsOf(value)
  const text = data === null ? '' : textOf(functionName, data)
  return [...text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')].slice(0, labelCharactersMax).join('').trim()
}

/** Early tokens return a bytes32, in which a zero byte ends the text. */
function textOf(functionName: 'name' | 'symbol', data: Hex): string {
  try {
    if (data.length !== 66) return decodeFunctionResult({ abi: erc20Abi, functionName, data })
    const bytes = hexToBytes(data)
    const end = bytes.indexOf(0)
    return end === -1 ? '' : new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))
  } catch {
    return ''
  }
}

function wordsOf(value: unknown): Hex | null {
  return typeof value === 'string' && value.length > 2 ? (value as Hex) : null
}
