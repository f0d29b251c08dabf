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
} as const
