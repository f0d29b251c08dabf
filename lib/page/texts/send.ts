import { sentence } from '../sentence.ts'

export const sendTexts = {
  title: 'Send',
  to: 'To',
  toExample: '0x…',
  amount: 'Amount',
  unit: 'Unit',
  max: 'Max',
  balance: (amount: string) => sentence`Balance ${amount}`,
  review: 'Review',
  noPlan: (why: string) => `${why} Nothing was sent. Try again in a moment.`,
  thin: 'Too few independent nodes can be reached to check this transaction: those that are left could tell the same lie. Nothing was sent. Try again in a few minutes.',
  reviewTitle: 'Review transaction',
  reviewAgain: 'Review again',
  reading: 'Reading fee and balance…',
  back: 'Back',
  confirm: 'Confirm in wallet',
  close: 'Close',
  done: 'Done',
  from: 'From',
  fee: 'Network fee, at most',
  total: 'Total, at most',
  feeOfOwners: 'Network fee',
  feeOfOwnersText: 'Paid by the account that executes it',
  tried: 'Simulation',
  triedText: (block: string) => sentence`Successful, at block ${block}`,
  data: 'Data',
  after: 'You will have',
  afterText: (after: string, before: string) => sentence`${after}, now ${before}`,
  atLeast: (amount: string) => sentence`At least ${amount}`,
  gain: 'They will receive',
  gainWarning: 'The token keeps a part of what is sent.',
  toContract:
    'This address is a contract. The simulation shows that it accepts this payment, not that it can return it.',
  toNobody: {
    zero: 'This is the zero address. It belongs to nobody: what is sent there is lost.',
    system: 'This address belongs to the network itself, not to a person: what is sent there is lost.',
    burn: 'This address belongs to nobody. It is used to destroy coins and tokens: what is sent there is lost.',
  },
  toSelf: 'This is your own address.',
  switchTo: (name: string) => `Switch to ${name}`,
  switchAgain: (name: string) => `Try again: switch to ${name}`,
  switching: 'Waiting for your wallet to switch…',
  inWallet: 'Waiting for your wallet…',
  accept: 'I have checked this, and want to go on.',
  compare: 'Before you confirm, check that your wallet shows the same amount and address.',
  unanswered: (description: string) =>
    `Your wallet was asked to ${description.charAt(0).toLowerCase()}${description.slice(1)}; it is not known whether it was sent.`,
  sentSince: (description: string) =>
    `Since then your account has sent something else: ${description.charAt(0).toLowerCase()}${description.slice(1)}.`,
  mayPayTwice: 'Look at your wallet and its list of transactions first: confirming now may pay twice.',
  checkedWallet: 'I have looked: send this too',
  wasNotSent: 'It was not sent',
  feeRose: 'The network fee has risen above the fee of this review.',
  sent: 'On its way',
  handedOver: 'In your wallet',
  withOwners: 'waiting for signatures',
  waitingForOwners: 'It is sent once enough owners have signed it there.',
  waitingForBlock: 'Waiting to be included in a block…',
  notConfirmable:
    'Too few independent nodes can be reached to confirm this. It was sent, and this page keeps asking.',
  deep: (seen: number, wanted: number) => sentence`${seen} of ${wanted} confirmations`,
  mayClose: 'You can close this window. The transaction continues.',
  confirmedText: (block: string) => sentence`Included in block ${block}.`,
  spedUpText: 'Your wallet sped it up.',
  failedText: 'Transaction reverted. The fee was still charged.',
  replacedText: 'Another transaction from your account took its place.',
  cancelled: 'Cancelled',
  cancelledText: 'You cancelled it in your wallet. Nothing was sent.',
  untrackedText: 'It may still be carried out. This page checks once more each time it opens.',
  different: {
    sent: {
      title: 'The wallet sent something else',
      text: (block: string) =>
        sentence`Block ${block} has a transaction of yours that is not the one you reviewed. If you did not change it in your wallet yourself, do not use this wallet any more.`,
      reverted: 'It reverted, so only its fee was charged.',
    },
    stranger: {
      title: 'Not your transaction',
      text: 'Your wallet returned the hash of a transaction of another account. Whether yours was sent is not known: look at your wallet before trying again.',
    },
    nothing: {
      title: 'Nothing was moved',
      text: (block: string) =>
        sentence`Included in block ${block}, but the token did not do it. The fee was still charged.`,
    },
    amount: {
      title: 'Another amount arrived',
      text: (block: string) =>
        sentence`Included in block ${block}, but the token did not move what you reviewed.`,
    },
    allowance: {
      title: 'The allowance is different',
      text: (block: string) =>
        sentence`Included in block ${block}, but the token did not set the allowance that you reviewed.`,
    },
    reviewed: 'You reviewed',
    found: 'It sent',
    arrived: 'Arrived',
    standing: 'Allowance now',
  },
  untrack: 'Stop tracking',
  hash: 'Transaction',
  copyHash: 'Copy transaction hash',
  explorer: 'View on explorer',
  description: (amount: string, to: string) => sentence`Send ${amount} to ${to}`,
  call: (to: string, amount: string | null, name?: string) =>
    (name === undefined ? sentence`Call ${to}` : sentence`Call ${name} of ${to}`) +
    (amount === null ? '' : sentence` with ${amount}`),
  anyCall: {
    headline: 'Contract call',
    contract: 'Contract',
    function: 'Function',
    unknown: (selector: string) => sentence`${selector}, not known by name`,
    bytes: (count: number) => sentence`Data, ${count} bytes`,
    paid: 'Paid with it',
    omitted: 'Not in this description',
    described: 'In the words of a description that this site has. What changes for you is simulated, below.',
    contradicts: {
      takes: (found: string, described: string | null) =>
        described === null
          ? sentence`The description does not say that you pay ${found}. The simulation does.`
          : sentence`The description says ${described}, but the simulation takes ${found} from you.`,
      gives: (found: string, described: string | null) =>
        described === null
          ? sentence`The description does not say that you get ${found}. The simulation does.`
          : sentence`The description says ${described}, but the simulation gives you ${found}.`,
      allows: (found: string, described: string | null) =>
        described === null
          ? sentence`The description does not say that ${found} may be taken from you. The simulation does.`
          : sentence`The description says ${described}, but in the simulation ${found} may be taken from you.`,
    },
    changes: 'Changes',
    nothing: 'Nothing but the fee, as far as the contract reports',
    item: (id: string) => sentence`item ${id}`,
    items: (count: string, id: string) => sentence`${count} of item ${id}`,
    collection: 'every item, now and later',
    noMore: (items: string) => `no longer: ${items}`,
    mayTake: 'May be taken',
    by: 'by',
    notSimulated: 'The nodes cannot show what this call changes. Send it only if you trust the contract.',
    itemWarning: 'The spender can take this item at any time, without asking you again.',
    collectionWarning:
      'The spender can take every item of this collection that you have now or ever receive, at any time, without asking you again.',
    notConnected: 'Connect a wallet first.',
  },
  batch: {
    headline: (calls: number) => sentence`${calls} calls in one prompt`,
    text: 'Your wallet carries out all of them, or none.',
    approve: (amount: string) => sentence`Approve ${amount}`,
    send: (amount: string) => sentence`Send ${amount}`,
    paying: (name: string, amount: string) => name + sentence`, with ${amount}`,
    fee: 'Network fee, about',
    and: ([first = '', ...others]: readonly string[]) =>
      [first, ...others.map((one) => `${one.charAt(0).toLowerCase()}${one.slice(1)}`)].join(', then '),
    at: (step: number, why: string) => sentence`Call ${step}: ` + why,
    oneByOne: 'Review again to send them one after the other.',
    waiting: 'Your wallet has the calls, and has not said yet that it sent them.',
    stepsTitle: (steps: number) => (steps === 2 ? 'Two steps' : sentence`${steps} steps`),
    next: (step: number) => sentence`Continue to step ${step}`,
    moved: 'Connect the account that sent the previous step.',
  },
  create: 'Create a contract',
  revertsWith: (error: string) => sentence`This transaction would fail right now: ${error}`,
  ambiguous: (mark: string, [thousands, decimals]: readonly [string, string]) =>
    sentence`The “${mark}” can be read in two ways. Enter ${thousands} or ${decimals}.`,
  faults: {
    empty: 'Enter an amount.',
    shape: 'Enter an amount as a number, such as 0.5.',
    'too-fine': 'Too many decimal places.',
    'too-much': 'This amount is too large.',
    zero: 'Enter an amount above zero.',
    funds: 'Insufficient funds for the amount and its fee.',
    moved: 'Your wallet switched to another account. Review the transaction again.',
    reverts: 'This transaction would fail right now.',
    refused: 'This would fail right now: the token answers that it does not do it.',
    unreadable: 'The token answers neither yes nor no, so nobody can tell whether it would do this.',
    'no-effect': 'The token says yes, but the simulation shows that nothing would change.',
    'cannot-receive': 'This contract does not accept payments: sending to it fails.',
    'no-contract': 'There is no contract at this address on this network, so nothing would happen.',
  },
} as const
