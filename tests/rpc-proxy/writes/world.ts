import { privateKeyToAccount } from 'viem/accounts'
import {
  type Evidence,
  pendingRequest,
  type UpstreamRequestRecord,
} from '../../../rpc-proxy/events/evidence-types.ts'
import { electorateOf, operatorsOfNodes } from '../../../rpc-proxy/quorum/electorate.ts'
import { type GivenUp, RoundRequest } from '../../../rpc-proxy/round/round-request.ts'
import type { MemberIndex, NodeIndex, OperatorIndex } from '../../../rpc-proxy/runtime/indexes.ts'
import type { RejectionClass, Reply } from '../../../rpc-proxy/wire/types.ts'
import type { TransactionRequest } from '../../../rpc-proxy/writes/transaction-round.ts'
import { createWrites, type WriteChain } from '../../../rpc-proxy/writes/writes.ts'
import { type VirtualClock, virtualClock } from '../../support/virtual-clock.ts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
export const sender = account.address.toLowerCase()

/** A signed transaction. All have the same sender. */
export const transaction = (nonce = 7, chainId = 137) =>
  account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    gas: 21_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
    to: `0x${'22'.repeat(20)}`,
  })

/** How and when a node replies to a transaction. */
export interface Script {
  readonly reply: Reply | ((hash: string) => Reply)
  readonly afterMs?: number
  readonly weight?: number
  readonly operator?: string
  readonly open?: boolean
}

export const hash = (afterMs = 10): Script => ({
  reply: (own) => ({ kind: 'result', raw: `"${own}"` }),
  afterMs,
})
export const other = (afterMs = 10): Script => ({
  reply: { kind: 'result', raw: `"0x${'99'.repeat(32)}"` },
  afterMs,
})
export const known = (afterMs = 10): Script => ({ reply: { kind: 'known' }, afterMs })
export const refuses = (refusal: RejectionClass, afterMs = 10): Script => ({
  reply: { kind: 'rejected', class: refusal },
  afterMs,
})
export const errs = (afterMs = 10): Script => ({ reply: { kind: 'fault', fault: 'http' }, afterMs })
export const hangs: Script = {
  reply: { kind: 'fault', fault: 'cancelled' },
  afterMs: Number.POSITIVE_INFINITY,
}

interface WorldOptions {
  readonly needed?: number
  readonly operatorsMin?: number
  /** Whether a quorum finds the transaction, and how long the lookup takes. */
  readonly found?: boolean
  readonly findMs?: number
  readonly runningMax?: number
  readonly chainId?: number
}

interface ScriptedOptions {
  readonly name: string
  /** The transaction's hash. */
  readonly own: string
  readonly clock: VirtualClock
  readonly heard: Readonly<Record<'sends' | 'stalls' | 'replies' | 'aborted', string[]>>
}

/** A request that is answered as its script says. */
class ScriptedRequest extends RoundRequest<Reply> implements TransactionRequest {
  declare readonly record: UpstreamRequestRecord
  readonly #script: Script
  readonly #options: ScriptedOptions

  constructor(member: MemberIndex, script: Script, options: ScriptedOptions) {
    const { name, clock } = options
    const { weight = 1, operator = name } = script
    super(member, 750, pendingRequest({ node: name, operator, weight }, clock.now()))
    this.#script = script
    this.#options = options
  }

  send(left: () => void): Promise<Reply> {
    const { name, own, clock, heard } = this.#options
    const { reply, afterMs = 10 } = this.#script
    left()
    heard.sends.push(name)
    this.addEventListener('abort', () => heard.aborted.push(name))
    return new Promise((resolve) => {
      if (afterMs < Number.POSITIVE_INFINITY)
        clock.after(afterMs, () => resolve(typeof reply === 'function' ? reply(own) : reply))
    })
  }

  stall(): void {
    this.#options.heard.stalls.push(this.#options.name)
  }

  end(reply: Reply): void {
    const { name, clock, heard } = this.#options
    const text = reply.kind === 'fault' ? reply.fault : reply.kind
    heard.replies.push(`${name} ${text} ${clock.now() - this.record.startMs}`)
  }

  giveUp({ isLate }: GivenUp): void {
    this.record.outcome = isLate ? 'fault' : 'cancelled'
    this.record.detail = isLate ? 'timeout' : 'cancelled'
    this.end({ kind: 'fault', fault: isLate ? 'timeout' : 'cancelled' })
  }
}

/** Nodes with one script each, named a, b, c … */
export function world(scripts: readonly Script[], options: WorldOptions = {}) {
  const clock = virtualClock(0)
  const heard: ScriptedOptions['heard'] = { sends: [], stalls: [], replies: [], aborted: [] }
  const finds: string[] = []
  const verdicts: Evidence[] = []
  const names = scripts.map((_, index) => String.fromCharCode(97 + index))
  const owned = scripts.map(({ weight = 1, operator }, index) => ({
    weight,
    operator: operator ?? (names[index] as string),
  }))
  const { total } = electorateOf(owned, 0, 1)
  const electorate = electorateOf(owned, options.needed ?? total / 2, options.operatorsMin ?? 1)
  const writers = scripts.map(({ open = false }, index) => ({
    operator: electorate.operatorOf[index] as OperatorIndex,
    open,
  }))
  const writerOperators = operatorsOfNodes(
    electorate,
    scripts.map((_, index) => index as NodeIndex),
  )
  let count = 0
  const writes = createWrites({
    clock,
    nextId: () => `id${count++}`,
    onVerdict: (evidence) => verdicts.push(evidence),
    ...(options.runningMax === undefined ? {} : { runningMax: options.runningMax }),
  })
  const chain = (own: string): WriteChain => ({
    chainId: options.chainId ?? 137,
    writers,
    writerOperators,
    electorate,
    deadlineMs: 8000,
    spareMs: 750,
    epoch: 0,
    request: (index) => {
      const name = names[index] as string
      return new ScriptedRequest(index, scripts[index] as Script, { name, own, clock, heard })
    },
    known(asked) {
      finds.push(asked)
      return new Promise((resolve, reject) =>
        clock.after(options.findMs ?? 20, () =>
          options.found === undefined ? reject(new Error('no quorum')) : resolve(options.found),
        ),
      )
    },
  })
  return { clock, writes, chain, finds, verdicts, ...heard }
}
