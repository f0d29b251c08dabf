import { sentence } from '../sentence.ts'

/** What a token's own name and symbol may be meant to do: pass for another token, or lead to a page. */
export type LabelDoubt = 'imitates' | 'web-address' | 'mixed-alphabets'

export const tokenTexts = {
  title: 'Token',
  intro: 'Look up an ERC-20 token: every figure is agreed on by a quorum of nodes.',
  address: 'Token address',
  addressExample: '0x…',
  lookUp: 'Look up',
  examples: 'Try',
  notAToken: 'There is no ERC-20 token at this address on this network.',
  nameless: 'Unnamed token',
  claims: 'The contract calls itself',
  doubts: {
    imitates: 'This is not the token of that name that this site lists. Anyone can give a token any name.',
    'web-address':
      'Its name contains a web address. Such tokens are sent to people to lure them to a page that steals. Do not open it.',
    'mixed-alphabets': 'Its name mixes letters of different alphabets, as imitations of other tokens do.',
  } satisfies Record<LabelDoubt, string>,
  supply: 'Total supply',
  decimals: 'Decimals',
  contract: 'Token contract',
  balance: 'Your balance',
  copy: 'Copy token address',
  transfer: 'Transfer',
  approve: 'Approve',
  revoke: 'Revoke',
  revokeAll: (approvals: number) => sentence`Revoke all ${approvals} approvals`,
  watch: 'Add to wallet',
  watched: 'Your wallet shows the token now.',
  notWatched: 'Your wallet did not add the token.',
  connectFirst: 'Connect a wallet to see your balance, and to transfer or approve.',
  partFailed: 'The wallet part of this page did not load.',
  spender: 'Spender',
  unlimited: 'Unlimited',
  unlimitedChoice: 'Without limit',
  approveTitle: 'Approve a spender',
  approveText:
    'An approval lets the spender take up to this amount at any time, without asking again. 0 revokes it.',
  approveWarning: 'The spender can take up to this amount at any time, without asking you again.',
  unlimitedWarning:
    'The spender can take every token that you have now or ever receive, at any time, without asking you again. Approve a limited amount instead unless you fully trust it.',
  revokeText: 'The spender will no longer be able to take your tokens.',
  spenderIsAccount: 'This spender is an ordinary account, not a contract. Approving one is a common fraud.',
  toItself: "This is the token's own contract. Tokens that are sent to it are usually lost.",
  toContract:
    'This address is a contract. Tokens that are sent to a contract which is not made for them are lost.',
  approveItself: "This is the token's own contract. There is no reason to approve it.",
  funds: 'Your balance of this token is lower than that.',
  allowanceText: (after: string, before: string) => sentence`${after}, until now ${before}`,
  revokedFirst: {
    why: (symbol: string, allowance: string) =>
      sentence`${symbol} does not change an allowance that is not zero: the old one, ${allowance}, has to be revoked first.`,
    revoke: 'Revoke the old allowance',
  },
  approval: (amount: string, spender: string) => sentence`Approve ${amount} for ${spender}`,
  events: 'Your latest events',
  noEvents: (blocks: number) => sentence`None in the last ${blocks.toLocaleString('en')} blocks.`,
  eventsWaiting: 'Reading events…',
  event: {
    received: (amount: string, party: string) => sentence`Received ${amount} from ${party}`,
    sent: (amount: string, party: string) => sentence`Sent ${amount} to ${party}`,
    approved: (amount: string, party: string) => sentence`Approved ${amount} for ${party}`,
  },
} as const
