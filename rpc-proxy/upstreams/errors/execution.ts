import type { NodeError } from '../../wire/json-rpc.ts'
import type { Reply } from '../../wire/types.ts'
import { behind, type ErrorPattern, thisCallAlone, wordsOf } from './error-pattern.ts'

const revertWords = /\brevert(ed)?\b/i
/** How a virtual machine's errors begin where they are not a revert's. */
const machineWords = /^(vm (execution error|exception)|evm error|transaction execution error)/i
const haltWords =
  /invalid ?(fe ?)?opcode|bad ?instruction|opcode .* not defined|opcode ?not ?found|stack ?(under|over)flow|stack limit reached|(invalid|bad) ?jump|write protection|static ?call ?violation|access ?violation|return data out of bounds|contract address collision|create ?collision|max (init)?code size exceeded|invalid code|max call depth exceeded|transaction processing could not be completed/i
/** reth: every halt of its machine, by the name of the halt. */
const namedHalt = /^evm error:? (?!out ?of ?gas|memory ?oog)[a-z]{3,40}(\(\w{0,40}\))?$/i
const outOfGas = /out ?of ?gas|gas uint64 overflow|gas required exceeds allowance/i

/**
 * Reverts, before all other rules: what follows these words was written by the contract that the caller chose, and must
 * not be read as the node's own words.
 */
export const revertRules: readonly ErrorPattern[] = [
  // An unknown block, with the code of reverts (Alchemy). Contracts cannot send this: clients put their own words before a reason,
  // and the reason into `data`.
  {
    applies: ({ code, message, data }, { executes }) =>
      executes && code === 3 && /^unknown block\.?$/i.test(message) && isEmpty(revertData(data)),
    reply: behind,
  },
  // By its code, by its words, and by its data with the code of execution errors.
  {
    applies: (error, { executes }) =>
      executes &&
      (error.code === 3 || saysRevert(error) || (error.code === -32015 && !isEmpty(bareHex(error.data)))),
    reply: revert,
  },
  // In a method that gives none: some nodes run a transaction before they take it.
  {
    applies: (error, { executes, sends, callerControlled }) =>
      callerControlled && !executes && (saysRevert(error) || (sends && error.code === 3)),
    reply: thisCallAlone,
  },
]

const halted = { kind: 'rejected', class: 'vm-halt' } as const satisfies Reply

/** What else stops the machine. */
export const haltRules: readonly ErrorPattern[] = [
  {
    applies: (error, { executes }) => executes && (says(error, haltWords) || says(error, namedHalt)),
    reply: halted,
  },
  // Out of the gas that the call names.
  {
    applies: (error, { executes, gasGiven }) => executes && gasGiven && says(error, outOfGas),
    reply: halted,
  },
  // An estimate that needs more gas than there is: without gas in the call it is a block's, the balance's or the node's own. Only
  // equal ones are one refusal.
  {
    applies: ({ message }, { executes }) => executes && allowance(message) !== null,
    reply: ({ message }) => ({
      kind: 'rejected',
      class: `gas-allowance ${allowance(wordsOf(message)) ?? 0}`,
    }),
  },
  // An execution error without any data.
  {
    applies: ({ message, data }, { executes }) =>
      executes && data == null && /^vm execution error\.?$/i.test(message),
    reply: revert,
  },
  // Another word of the machine.
  {
    applies: ({ message }, { executes }) => executes && machineWords.test(message),
    reply: thisCallAlone,
  },
]

function saysRevert({ message, data }: NodeError): boolean {
  return revertWords.test(message) || (typeof data === 'string' && /^revert(ed)?\b/i.test(data))
}

/** In the message; Parity and its heirs say it in the data of "VM execution error". */
function says({ message, data }: NodeError, words: RegExp): boolean {
  return (
    words.test(message) ||
    (typeof data === 'string' && machineWords.test(message) && words.test(wordsOf(data)))
  )
}

function allowance(message: string): number | null {
  // geth; reth.
  const gas = /gas required exceeds(?: allowance \(|: )(\d{1,15})/i.exec(message)?.[1]
  return gas === undefined ? null : Number(gas)
}

function revert({ data, message }: NodeError): Reply {
  return { kind: 'reverted', data: revertData(data) ?? bareHex(message) ?? '0x' }
}

/** Hex, or Parity's "Reverted 0x…". */
function bareHex(data: unknown): string | null {
  if (typeof data !== 'string') return null
  const hex = /^(?:Reverted )?(0x[0-9a-f]*)$/i.exec(data)?.[1]
  return hex === undefined || hex.length % 2 === 1 ? null : hex.toLowerCase()
}

/** Revert data as clients put it: hex, or an object around it. Three objects deep at most. */
function revertData(data: unknown, depth = 0): string | null {
  if (typeof data !== 'object' || data === null) return bareHex(data)
  if (depth === 3) return null
  const { data: inner, originalError, result } = data as Record<string, unknown>
  return (
    revertData(inner, depth + 1) ??
    revertData(originalError, depth + 1) ??
    revertData(result, depth + 1) ??
    returnOf(data)
  )
}

/** ganache: `{ "<transaction hash>": { "error": "revert", "return": "0x…" } }`, the hash first. */
function returnOf(data: object): string | null {
  for (const key in data) {
    if (!/^0x[0-9a-f]{1,64}$/i.test(key)) return null
    const inner: unknown = (data as Record<string, unknown>)[key]
    return bareHex((inner as { return?: unknown } | null)?.return)
  }
  return null
}

const isEmpty = (hex: string | null): boolean => hex === null || hex === '0x'
