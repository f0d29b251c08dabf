import type { Clock } from '../runtime/clock.ts'
import type { Transaction } from './signed-transaction.ts'

const sendersMax = 10_000
const perSenderMax = 64
/** A transaction that no node has shown for so long has been dropped, and its nonce may be used again. */
const ageMaxMs = 600_000

/** A transaction by its hash, which no other has, and by its nonce, which others of its sender may have too. */
type Known = Pick<Transaction, 'chainId' | 'sender' | 'nonce' | 'hash'>

/** Nonces that were accepted through us and may not have reached every node yet: bounded in senders, in nonces of each, and in time. */
export function createNonces(clock: Clock) {
  // Maps keep the order of insertion, which is made the order of the last broadcast.
  const senders = new Map<string, Map<string, { readonly nonce: number; readonly atMs: number }>>()

  const livingOf = (chainId: number, sender: string): readonly number[] => {
    const oldestMs = clock.now() - ageMaxMs
    const sent = senders.get(keyOf(chainId, sender))?.values() ?? []
    return [...sent].filter(({ atMs }) => atMs >= oldestMs).map(({ nonce }) => nonce)
  }

  return {
    accepted({ chainId, sender, nonce, hash }: Known): void {
      const key = keyOf(chainId, sender)
      const sent = senders.get(key) ?? new Map()
      sent.delete(hash)
      sent.set(hash, { nonce, atMs: clock.now() })
      dropFirst(sent, perSenderMax)
      senders.delete(key)
      senders.set(key, sent)
      dropFirst(senders, sendersMax)
    },
    /** The transaction was refused by a quorum after all; another one of the same nonce still holds it. */
    forget({ chainId, sender, hash }: Known): void {
      senders.get(keyOf(chainId, sender))?.delete(hash)
    },
    /** The chain may have been reset: what was sent to it before says nothing. */
    forgetChain(chainId: number): void {
      for (const key of senders.keys()) if (key.startsWith(`${chainId}|`)) senders.delete(key)
    },
    /**
     * The first nonce from `from` on that was not broadcast here. It stops at a gap: transactions behind one wait in a node's queue, and
     * counting them would leave the gap open for ever.
     */
    next(chainId: number, sender: string, from: number): number {
      const living = new Set(livingOf(chainId, sender))
      let nonce = from
      while (living.has(nonce)) nonce += 1
      return nonce
    },
  }
}

const keyOf = (chainId: number, sender: string): string => `${chainId}|${sender.toLowerCase()}`

function dropFirst<Key>(map: Map<Key, unknown>, entriesMax: number): void {
  const [first] = map.keys()
  if (map.size > entriesMax && first !== undefined) map.delete(first)
}
