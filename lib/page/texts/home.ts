export const homeTexts = {
  story:
    'Your wallet, read through a quorum. Every balance is agreed on by independent nodes at the same block before you see it, and shows by how many.',
  lookUp: 'Look up any address',
  lookingUp: 'Looking up',
  lookUpExample: '0x…',
  lookUpAction: 'Look up',
  steps: [
    { title: 'Asked', text: 'Independent nodes get the same question, pinned to the same block.' },
    { title: 'Compared', text: 'Enough of the operators that run them must say the same thing.' },
    {
      title: 'Shown',
      text: 'You see the answer, how many operators agreed on it, and whether any disagreed.',
    },
  ],
} as const
