export const activityTexts = {
  title: 'Activity',
  none: 'No transactions yet',
  noneText: 'Transactions that you send from this browser appear here.',
  all: (count: number) => `Show all ${count}`,
  fewer: 'Show fewer',
  pending: 'Pending',
  confirmed: 'Confirmed',
  failed: 'Failed',
  replaced: 'Replaced',
  untracked: 'No longer tracked',
  clear: 'Clear finished',
  cleared: (count: number) => `${count} cleared from this browser.`,
  undo: 'Undo',
  forget: 'Disconnect and forget',
  forgetText: (pending: number) =>
    `This disconnects the wallet and erases this account's activity from this browser.${pending === 0 ? '' : ` ${pending === 1 ? '1 transaction is' : `${pending} transactions are`} still pending and will no longer be followed here.`} Nothing changes on any chain.`,
  keep: 'Keep',
} as const
