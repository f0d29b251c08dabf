import type { Mutant } from '../mutant.ts'

/** What comes in and goes out: S4, S5, S6. */
export const replies: readonly Mutant[] = [
  {
    name: 'reads ids as numbers',
    file: 'wire/decode.ts',
    in: 'entryOf',
    edit: { kind: 'call', mentions: 'slice', value: 'JSON.stringify(JSON.parse(text.slice(from, to)))' },
    nth: 0,
    breaks: ['S4'],
    by: 'sim',
  },
  {
    name: 'gives one caller the range of another',
    file: 'calls/cached-read.ts',
    in: 'differenceOf',
    edit: { kind: 'condition', mentions: 'pin', value: 'false' },
    breaks: ['S5'],
    by: 'scenarios/pinning.test.ts',
  },
  {
    name: 'believes nodes of any chain',
    file: 'upstreams/identity.ts',
    in: 'createIdentity.checkChain.right',
    edit: { kind: 'name', from: 'chainId', to: 'served' },
    breaks: ['S5'],
    by: 'sim',
  },
  {
    name: 'compares receipts without their status',
    file: 'wire/objects.ts',
    in: 'receiptFields',
    edit: { kind: 'name', from: 'status', to: 'unread' },
    breaks: ['S2'],
    by: 'sim',
    isVisible: true,
  },
  {
    name: 'takes the body of an HTTP error for a result',
    file: 'upstreams/http-reply.ts',
    in: 'received',
    edit: { kind: 'condition', mentions: 'isSuccess', value: 'status === 429' },
    breaks: ['S6'],
    by: 'sim',
    isVisible: true,
  },
  {
    name: 'takes an unknown error for a revert',
    file: 'upstreams/classify.ts',
    in: 'classify',
    edit: { kind: 'name', from: 'otherwise', to: "{ kind: 'reverted', data: '0x' }" },
    breaks: ['S6'],
    by: 'sim',
  },
  {
    name: 'does not hash transactions',
    file: 'wire/transaction-codec.ts',
    in: 'provenTransaction.read',
    edit: { kind: 'condition', mentions: 'proven', value: 'false' },
    breaks: ['S2', 'S6'],
    by: 'sim',
  },
]
