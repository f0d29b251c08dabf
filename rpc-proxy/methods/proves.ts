import { emptyRoot, type VerifiedHeader } from '../wire/header-hash.ts'
import { rangeOf } from './block-ref.ts'
import { bloomMayContain, isBlankBloom, type LogFilter } from './log-filter.ts'

/** An account, and storage slots of it. Hex in lower case; slots are words of 32 bytes. */
export interface AccountSlots {
  readonly address: string
  readonly slots: readonly string[]
}

/** An account as its leaf has it. Numbers are canonical quantities. */
export interface ProvenAccount {
  readonly nonce: string
  readonly balance: string
  readonly storageHash: string
  readonly codeHash: string
}

export interface ProvenState {
  /** Null where the proof shows that there is none. */
  readonly account: ProvenAccount | null
  /** Quantities in the order asked; zero where the proof shows that there is nothing. */
  readonly slots: readonly string[]
}

/** How a result follows from an agreed block: from proofs of its state, or from its header alone. */
export type Proves = ProvesState | ProvesNoLogs

/** From what proofs of accounts prove, as the code that one names, or as the reply itself. */
export type ProvesState = {
  /** The accounts that are proven, and storage slots of each; none where that would be too many. */
  readonly accountsOf: (params: readonly unknown[]) => readonly AccountSlots[]
} & (
  | {
      readonly kind: 'value'
      /** Takes what is proven, in the order of `accountsOf`, and the params. */
      readonly valueOf: (states: readonly ProvenState[], params: readonly unknown[]) => unknown
    }
  | { readonly kind: 'code' }
  | { readonly kind: 'reply' }
)

/** The empty list, where the blooms of all its blocks say that they hold no such log. */
interface ProvesNoLogs {
  readonly kind: 'no-logs'
  readonly areNone: (params: readonly unknown[], blocks: VerifiedBlocks) => boolean
}

/** Agreed blocks from which the head descends, and which hash to their hashes. */
export interface VerifiedBlocks {
  readonly chainId: number
  readonly at: (number: number) => VerifiedHeader | null
  readonly of: (hash: string) => VerifiedHeader | null
}

const accountAlone = ([address]: readonly unknown[]) => [{ address: address as string, slots: [] }]
const numberOfAccount = (name: 'balance' | 'nonce'): ProvesState => ({
  kind: 'value',
  accountsOf: accountAlone,
  valueOf: ([state]) => state?.account?.[name] ?? '0x0',
})

export const balance = numberOfAccount('balance')
export const nonce = numberOfAccount('nonce')
export const storage: ProvesState = {
  kind: 'value',
  accountsOf: ([address, slot]) => [{ address: address as string, slots: [slot as string] }],
  valueOf: ([state]) => wordOf(state?.slots[0]),
}
export const storageValues: ProvesState = {
  kind: 'value',
  accountsOf: ([slots]) => {
    const accounts = Object.entries(slots as SlotsByAccount).map(([address, slots]) => ({ address, slots }))
    const isLarge = accounts.length > accountsMax || accounts.some(({ slots }) => slots.length > slotsMax)
    return isLarge ? [] : accounts
  },
  valueOf: (states, [slots]) =>
    Object.fromEntries(
      Object.keys(slots as SlotsByAccount).map((address, index) => [
        address,
        states[index]?.slots.map(wordOf),
      ]),
    ),
}
export const code: ProvesState = { kind: 'code', accountsOf: accountAlone }
export const proof: ProvesState = {
  kind: 'reply',
  accountsOf: ([address, keys]) => [{ address: address as string, slots: keys as readonly string[] }],
}

/** A proof for each: more would be many requests for one call. */
const accountsMax = 8
/** What eth_getProof takes here. */
const slotsMax = 256

export type SlotsByAccount = Readonly<Record<string, readonly string[]>>

/** A slot is returned as a word. */
const wordOf = (value = '0x0') => `0x${value.slice(2).padStart(64, '0')}`

export const noLogs: ProvesNoLogs = {
  kind: 'no-logs',
  areNone(params, blocks) {
    const filter = params[0] as LogFilter
    const range = rangeOf({ pin: 'range' }, params, Number.POSITIVE_INFINITY)
    if (range === null) return holdsNone(blocks, blocks.of(filter.blockHash ?? ''), filter)
    for (let number = range.from; number <= range.to; number++)
      if (!holdsNone(blocks, blocks.at(number), filter)) return false
    return true
  },
}

/** Chains that write the bloom of what a block logs; some others leave it blank. */
const withBlooms: ReadonlySet<number> = new Set([1, 137, 42_161])
/** Madhugiri: from there on state syncs of Polygon are in blooms. */
const wholeBloomsFrom = 80_084_800

function holdsNone({ chainId }: VerifiedBlocks, header: VerifiedHeader | null, filter: LogFilter): boolean {
  if (header === null || (chainId === 137 && Number(header.number) < wholeBloomsFrom)) return false
  const { logsBloom, receiptsRoot } = header
  if (!isBlankBloom(logsBloom)) return !bloomMayContain(logsBloom, filter)
  return withBlooms.has(chainId) || receiptsRoot === emptyRoot
}
