import type { Mutant } from '../mutant.ts'

const scenarios = 'scenarios/writes.test.ts'

/** Transactions, and the rows of their verdict table: S7. */
export const transactions: readonly Mutant[] = [
  {
    name: 'lets the network repeat a transaction',
    file: 'upstreams/post-calls.ts',
    in: 'CallPoster.#post',
    edit: { kind: 'property', key: 'idempotent', value: 'true' },
    breaks: ['S7'],
    by: 'rpc-proxy/upstreams/post-calls.test.ts',
  },
  {
    name: 'sends a transaction once more after a fault',
    file: 'writes/transaction-round.ts',
    in: 'TransactionRound.take',
    edit: {
      kind: 'literal',
      from: 'done',
      to: "reply.kind === 'fault' && request.sends === 1 ? { againMs: 100 } : 'done'",
    },
    nth: 1,
    breaks: ['S7'],
    by: 'sim',
  },
  {
    name: 'believes any hash that a broadcast brings',
    file: 'writes/replies.ts',
    in: 'judged',
    edit: { kind: 'return', value: 'reply' },
    breaks: ['acceptance', 'S6'],
    by: 'rpc-proxy/writes/writes.test.ts',
  },
  {
    name: 'promises a transaction that a quorum rejects',
    file: 'writes/votes.ts',
    in: 'isRejected',
    edit: { kind: 'return', value: 'false' },
    breaks: ['acceptance-disputed'],
    by: scenarios,
  },
  {
    name: 'rejects a transaction that used its nonce itself',
    file: 'writes/votes.ts',
    in: 'asFound',
    edit: { kind: 'return', value: 'vote' },
    breaks: ['found'],
    by: scenarios,
  },
  {
    name: 'lets one node reject a transaction',
    file: 'writes/transaction-decision.ts',
    in: 'decideTransaction',
    edit: { kind: 'call', mentions: 'isQuorum', value: 'operators !== 0' },
    breaks: ['rejection-quorum', 'S1'],
    by: 'sim',
  },
  {
    name: 'says that nodes disagree about a transaction when too few replied',
    file: 'writes/transaction-decision.ts',
    in: 'failure',
    edit: { kind: 'condition', mentions: 'isSilent', value: 'false' },
    breaks: ['too-few-replies'],
    by: 'rpc-proxy/writes/decision.test.ts',
  },
  {
    name: 'says that nodes are silent about a transaction when they disagree',
    file: 'writes/transaction-decision.ts',
    in: 'failure',
    edit: { kind: 'condition', mentions: 'isSilent', value: 'true' },
    breaks: ['no-rejection-quorum'],
    by: 'rpc-proxy/writes/decision.test.ts',
  },
]
