import type { Clock } from '../clock.ts'
import { CallError } from '../errors.ts'
import type { Evidence } from '../events.ts'
import { type Broadcast, type Broadcasting, type BroadcastPorts, broadcast, type Sent } from './broadcast.ts'
import { createNonces, type Nonces } from './nonces.ts'
import { decodeTransaction, type Transaction } from './transaction.ts'

/** A chain as a transaction finds it. */
export type WriteChain = Omit<Broadcast, 'id' | 'hash'> & Omit<BroadcastPorts, 'clock'>

export interface WritesOptions {
  readonly clock: Clock
  readonly nextId: () => string
  /** The last account of a broadcast, once for each. */
  readonly onVerdict: (evidence: Evidence) => void
  /** Broadcasts that are going on or still being listened to. */
  readonly runningMax?: number
}

export interface Writes {
  /**
   * Broadcasts a raw transaction, or joins the same one on its way; the caller's departure changes nothing.
   *
   * Throws CallError: `bad-params` for what is no transaction of this chain, `no-method` where no node takes any,
   * `overloaded` when too many are on their way.
   */
  readonly send: (raw: string, chain: WriteChain) => Promise<Sent & { readonly isShared: boolean }>
  /** What was accepted through us, for the pending nonce. */
  readonly nonces: Pick<Nonces, 'highest' | 'next'>
  /** Gives up all that is in flight and leaves no timer. */
  readonly close: () => void
}

/** A broadcast under way, and the electorate that it is counted by: after a reload that is another one. */
interface Joinable {
  readonly started: Broadcasting
  readonly electorate: Broadcast['electorate']
}

/** Creates the room of writes, with nothing on its way. */
export function createWrites({ clock, nextId, onVerdict, runningMax = 1000 }: WritesOptions): Writes {
  const running = new Set<Broadcasting>()
  /** Those that a duplicate may join, by chain and hash: what was refused may be tried again at once. */
  const joinable = new Map<string, Joinable>()
  const nonces = createNonces(clock)

  function start(transaction: Transaction, chain: WriteChain): Broadcasting {
    if (running.size >= runningMax) throw new CallError('overloaded', { retryAfterMs: chain.deadlineMs })
    const { chainId, hash, sender, nonce } = transaction
    const started = broadcast({ ...chain, id: nextId(), hash }, { ...chain, clock })
    const key = keyOf(transaction)
    running.add(started)
    joinable.set(key, { started, electorate: chain.electorate })
    const part = () => {
      if (joinable.get(key)?.started === started) joinable.delete(key)
    }
    void started.sent.then(({ outcome }) => {
      if (outcome.kind === 'accepted') nonces.accepted(chainId, sender, nonce)
      else part()
    })
    void started.ended.then(({ evidence, isDisputed }) => {
      running.delete(started)
      part()
      if (isDisputed) nonces.forget(chainId, sender, nonce)
      onVerdict(evidence)
    })
    return started
  }

  return {
    async send(raw, chain) {
      const transaction = decodeTransaction(raw)
      if (transaction.chainId !== chain.chainId)
        throw new CallError('bad-params', {
          message: `invalid chain id for signer: have ${transaction.chainId} want ${chain.chainId}`,
        })
      if (chain.takers.length === 0)
        throw new CallError('no-method', {
          message: 'the method eth_sendRawTransaction does not exist / is not available',
        })
      const same = joinable.get(keyOf(transaction))
      const joined = same?.electorate === chain.electorate ? same.started : undefined
      const { sent } = joined ?? start(transaction, chain)
      return { ...(await sent), isShared: joined !== undefined }
    },
    nonces,
    close() {
      for (const each of running) each.close()
    },
  }
}

const keyOf = ({ chainId, hash }: Transaction): string => `${chainId}|${hash}`
