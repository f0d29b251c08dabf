/** What an operator is offered to do with a node. */
export const actionTexts = {
  late: 'This did not load.',
  column: 'Actions',
  open: (node: string, chain: string) => `Actions for ${node} on ${chain}`,
  title: (node: string, chain: string) => `${node} on ${chain}`,
  cordon: 'Cordon',
  cordonText:
    'A cordoned node is asked only if the other nodes are too few. The quorum stays as it is: it does not become cheaper.',
  uncordon: 'Uncordon',
  uncordonText: 'This node is cordoned. Once uncordoned, it is asked again at once.',
  by: 'Your name, for the log (optional)',
  faults: 'Give it a fault',
  faultsText: 'Only under the demo. Watch the quorum hold.',
  /** In the words of the demo's nodes. */
  faultProfiles: [
    ['honest', 'Honest'],
    ['lying', 'Lie'],
    ['lagging', 'Lag'],
    ['hanging', 'Hang'],
    ['slow', 'Slow'],
    ['down', 'Down'],
    ['erring', 'HTTP 500'],
    ['rate-limiting', 'Rate limit'],
    ['garbage', 'Garbage'],
    ['flapping', 'Flap'],
  ],
  close: 'Close',
  loggedOut: 'You are logged out. Reload the page and log in.',
  refused: (status: number) => `The gateway refused (${status}). Nothing was changed.`,
  unreachable: 'The gateway cannot be reached. Nothing was changed.',
  since: (ago: string) => `for ${ago}`,
} as const
