import { sentence } from '../sentence.ts'

export const approvalTexts = {
  title: 'Approvals',
  intro:
    'Who may take what of yours, without asking you again. Agreed by a quorum of nodes, and yours to revoke.',
  connectFirst: 'Connect a wallet to see who may take what of it.',
  failed: 'The list of approvals did not load.',
  none: 'No approvals found',
  noneText: 'As far as was searched, nobody may take anything of yours on this network.',
  whyOf: (chain: string) => `approvals on ${chain}`,
  all: (count: number) => sentence`Select all ${count}`,
  revoke: 'Revoke',
  revokeOf: (what: string, spender: string) => `Revoke ${what} for ${spender}`,
  revokeSelected: (count: number) =>
    count === 1 ? 'Revoke 1 approval' : sentence`Revoke ${count} approvals`,
  by: 'by',
  through: 'through Permit2',
  until: (time: string) => sentence`until ${time} UTC`,
  item: (id: string, collection: string) => sentence`Item ${id} of ${collection}`,
  collection: (collection: string) => sentence`Every item of ${collection}, now and later`,
  some: (units: string, token: string) => sentence`${units} units of ${token}`,
  unknown: (token: string) => sentence`${token}: unknown`,
  unknownText: 'The token did not answer.',
  unlisted: 'Not listed here:',
  spender: {
    account: 'An ordinary account, not a contract: approving one is a common fraud.',
    unknown: 'The nodes do not agree what this is.',
    contract: 'A contract, not known by name.',
    old: (blocks: string) => sentence`A contract, older than ${blocks} blocks.`,
    young: (blocks: string) => sentence`A contract that did not exist ${blocks} blocks ago.`,
  },
  searching: 'Searching the logs of the network for more…',
  searched: (blocks: string) =>
    sentence`Searched: tokens and spenders that this site knows, and every approval of the last ${blocks} blocks. Older ones of other spenders are not shown.`,
  notSearched:
    'Searched: tokens and spenders that this site knows. The nodes did not give the logs that name others.',
} as const
