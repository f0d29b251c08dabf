import type { Evidence } from '../events/evidence-types.ts'
import { isEmpty } from '../quorum/electorate.ts'
import { Abort } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import { createDictionary } from '../runtime/dictionary.ts'
import { CallError } from '../runtime/errors.ts'
import { createNonces } from './nonces.ts'
import { decodeTransaction, type Transaction } from './signed-transaction.ts'
import { type Broadcast, type Broadcasting, broadcast, type SentTransaction } from './transaction-round.ts'

/** A chain as a transaction finds it. */
export interface WriteChain extends Omit<Broadcast, 'id' | 'hash'> {
  /** How much of its own time the sender of a duplicate may give up by joining. */
  readonly spareMs: number
  /** Counts the distrusts of its operators: nobody joins a broadcast from before one. */
  readonly epoch: number
}

interface WritesOptions {
  readonly clock: Clock
  readonly nextId: () => string
  /** The last account of a broadcast, once for each. */
  readonly onVerdict: (evidence: Evidence) => void
}

/** Broadcasts that are going on or still being listened to. */
const runningMax = 1000

/** A broadcast under way, and the electorate that it is counted by: after a reload that is another one. */
interface Joinable extends Pick<WriteChain, 'electorate' | 'epoch'> {
  readonly started: Broadcasting
  /** Epoch milliseconds. */
  readonly endMs: number
  isAccepted: boolean
}

/** Sends transactions; nothing is under way at first. */
export function createWrites({ clock, nextId, onVerdict }: WritesOptions) {
  const running = new Set<Broadcasting>()
  /** Those that a duplicate may join, by chain and hash: what was refused may be tried again at once. */
  const joinable = new Map<string, Joinable>()
  const nonces = createNonces(clock)
  const waits = new SyncWaits()

  function start(transaction: Transaction, chain: WriteChain): Broadcasting {
    if (running.size >= runningMax) throw new CallError('overloaded', { retryAfterMs: chain.deadlineMs })
    const started = broadcast({ ...chain, id: nextId(), hash: transaction.hash }, clock)
    const key = keyOf(transaction)
    running.add(started)
    const { electorate, epoch, deadlineMs } = chain
    const endMs = clock.now() + deadlineMs
    const flight: Joinable = { started, electorate, epoch, endMs, isAccepted: false }
    joinable.set(key, flight)
    const part = () => {
      if (joinable.get(key) === flight) joinable.delete(key)
    }
    void started.sent.then(({ outcome }) => {
      flight.isAccepted = outcome.kind === 'accepted'
      if (flight.isAccepted) nonces.accepted(transaction)
      else part()
    })
    void started.ended.then(({ evidence, isDisputed }) => {
      running.delete(started)
      part()
      if (isDisputed) nonces.forget(transaction)
      onVerdict(evidence)
    })
    return started
  }

  /** A broadcast that no node has accepted may hang: a late duplicate starts its own, to nodes that may have recovered. */
  function mayJoin({ electorate, epoch, endMs, isAccepted }: Joinable, chain: WriteChain): boolean {
    if (electorate !== chain.electorate || epoch !== chain.epoch) return false
    const sparedMs = clock.now() + chain.deadlineMs - endMs
    return isAccepted || (sparedMs >= 0 && sparedMs <= chain.spareMs)
  }

  return {
    /**
     * Broadcasts a raw transaction, or joins the same one on its way; the caller's departure changes nothing.
     *
     * Throws CallError: `bad-params` for what is no transaction of this chain, `no-method` where no node takes any,
     * `overloaded` when too many are on their way.
     */
    async send(raw: string, chain: WriteChain): Promise<SentTransaction & { readonly isShared: boolean }> {
      const transaction = decodeTransaction(raw)
      if (transaction.chainId !== chain.chainId)
        throw new CallError('bad-params', {
          message: `invalid chain id for signer: have ${transaction.chainId} want ${chain.chainId}`,
        })
      if (isEmpty(chain.writerOperators))
        throw new CallError('no-method', {
          message: 'the method eth_sendRawTransaction does not exist / is not available',
        })
      const same = joinable.get(keyOf(transaction))
      const joined = same !== undefined && mayJoin(same, chain) ? same.started : undefined
      const { sent } = joined ?? start(transaction, chain)
      return { ...(await sent), isShared: joined !== undefined }
    },
    /** What was accepted through us, for the pending nonce. */
    nonces,
    waits,
    /** Resolves when every broadcast that is running now has ended: all its nodes have replied, or its deadline has passed. */
    async settled(): Promise<void> {
      await Promise.all([...running].map(({ ended }) => ended))
    },
    /** Gives up all that is in flight and leaves no timer. */
    close(): void {
      waits.ended.abort()
      for (const each of running) each.close()
    },
  }
}

export type Writes = ReturnType<typeof createWrites>

const keyOf = ({ chainId, hash }: Transaction): string => `${chainId}|${hash}`

/** Calls that wait for their transaction to be in a block. */
const waitsMax = 200
const waitsPerCallerMax = 20

/** Bounds how many calls wait for a receipt: each holds a place among the requests for much longer than others do. */
export class SyncWaits {
  /** Fires when nobody may wait any more. */
  readonly ended = new Abort()
  readonly #byCaller = createDictionary<number>()
  #count = 0

  /** Takes a place, to be given back. Throws CallError `overloaded` or `too-many-requests`. */
  enter(caller: string | null): () => void {
    const key = caller ?? ''
    const own = this.#byCaller[key] ?? 0
    if (this.#count >= waitsMax) throw new CallError('overloaded', { retryAfterMs: 1000 })
    if (caller !== null && own >= waitsPerCallerMax)
      throw new CallError('too-many-requests', { retryAfterMs: 1000 })
    this.#count += 1
    this.#byCaller[key] = own + 1
    return () => {
      this.#count -= 1
      const left = (this.#byCaller[key] ?? 1) - 1
      if (left > 0) this.#byCaller[key] = left
      else delete this.#byCaller[key]
    }
  }
}
