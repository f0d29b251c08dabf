export const activityTexts = {
  title: 'Activity',
  none: 'What you send from here appears here.',
  all: (count: number) => `Show all ${count}`,
  fewer: 'Show fewer',
  pending: 'Pending',
  confirmed: 'Confirmed',
  failed: 'Failed',
  replaced: 'Replaced',
  onChain: (chain: string) => `on ${chain}`,
} as const
