import { sentence } from '../sentence.ts'

/** Why a typed or pasted text is not the address of a recipient, spender, token or account. */
export const addressTexts = {
  shape: 'Enter an address: 0x followed by 40 characters.',
  checksum: 'This address has a typing mistake: its checksum does not match.',
  prefix: 'An address begins with 0x. Put it in front if this is one.',
  characters:
    'This looks like an address, but has a letter other than a to f. Copy it again from its source.',
  shortened: 'This address is shortened. Copy it in full.',
  name: 'Names are not looked up here. Enter the address itself.',
  'no-name': 'This is not a valid name. Check its spelling, or enter the address itself.',
  'name-empty': 'This name leads to no address.',
  'name-unread': 'This name cannot be looked up right now. Try again, or enter the address itself.',
  secret:
    'This is as long as a transaction hash or a private key, not an address. Never paste a private key anywhere.',
  transaction: 'This link is to a transaction. Enter the address itself.',
  link: 'This link does not have exactly one address in it. Enter the address itself.',
  request: 'This payment request asks for something that cannot be done here.',
  network: 'This address is for a network that is not available here.',
  'token-request': 'This is a request to pay in a token. Look the token up and transfer it there.',
} as const

/** A payment request that is understood, but not for this place. */
export const requestTexts = {
  otherNetwork: (chainId: number) =>
    sentence`This is for network ${chainId}, which is not the one of this token.`,
  unknownNetwork: (chainId: number) => sentence`This is for network ${chainId}, which is not available here.`,
  inCoin: 'This is a request to pay in coins, not in this token.',
  filled: (what: string) => sentence`Taken from what you pasted: ${what}`,
} as const
