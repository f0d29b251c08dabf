export const homeTexts = {
  claim: 'Believe no single node.',
  story:
    'Your wallet, read through a quorum. Every balance is agreed on by independent nodes at the same block before you see it, and shows by how many.',
  lookUp: 'Look up any address',
  lookUpExample: '0x…',
  lookUpAction: 'Look up',
  steps: [
    { title: 'Asked', text: 'Independent nodes get the same question, pinned to the same block.' },
    { title: 'Weighed', text: 'Their answers are compared. Enough weight must say the same thing.' },
    { title: 'Shown', text: 'You see the answer, and how much weight stood behind it.' },
  ],
} as const
