import { sentence } from '../sentence.ts'

export const activityTexts = {
  none: 'No transactions yet',
  noneText: 'Transactions that you send from this browser appear here.',
  all: (count: number) => sentence`Show all ${count}`,
  fewer: 'Show fewer',
  unanswered: 'Not known whether it was sent',
  pending: 'Pending',
  confirmed: 'Confirmed',
  failed: 'Failed',
  spedUp: 'Confirmed; your wallet sped it up',
  replaced: 'Replaced',
  replacedBy: (hash: string) => sentence`Replaced by ${hash}`,
  blocked: ({ nonce, isMissing }: { readonly nonce: number; readonly isMissing: boolean }) =>
    `An earlier transaction of yours blocks this one: ${isMissing ? sentence`no node knows number ${nonce}. Send it in your wallet, or cancel it there` : sentence`number ${nonce} is still waiting`}.`,
  sent: (amount: string) => sentence`Sent ${amount}`,
  received: (amount: string) => sentence`Received ${amount}`,
  someToken: (token: string) => sentence`an amount of ${token}`,
  cancelled: 'Cancelled in your wallet',
  untracked: 'No longer tracked',
  different: 'Not as reviewed',
  instead: (description: string) => `Not as reviewed: ${description}`,
  clear: 'Clear finished',
  cleared: (count: number) => sentence`${count} cleared from this browser.`,
  undo: 'Undo',
  forget: 'Disconnect and forget',
  forgetText: (pending: number) =>
    `This disconnects the wallet and erases this account's activity from this browser.${pending === 0 ? '' : ` ${pending === 1 ? '1 transaction is' : sentence`${pending} transactions are`} still pending and will no longer be followed here.`} Nothing changes on any chain.`,
  keep: 'Keep',
} as const
