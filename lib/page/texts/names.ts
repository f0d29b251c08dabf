import { sentence } from '../sentence.ts'
import { addressTexts } from './address.ts'

/** Names in place of addresses. */
export const nameTexts = {
  example: '0x… or name.eth',
  none: (name: string, chain: string) => sentence`${name} has no address for ${chain}.`,
  useMainnet: 'Use its address on Ethereum,',
  mainnetRisk: (chain: string) =>
    sentence`whose owner may not have it on ${chain}: an exchange or a contract wallet may not reach what you send there.`,
  offchain:
    'From a service outside of the chain that the name’s owner chose: its signer vouches for this address.',
  mainnet: 'This is its address on Ethereum. It has none for this network.',
  changed: (name: string, before: string) =>
    sentence`${name} led to another address when you last sent to it: ${before}. Ask its owner before you go on.`,
  faults: {
    'no-name': addressTexts['no-name'],
    resolver:
      'The contract of this name, or a service that it relies on, gives no usable answer. Try again, or enter the address itself.',
    busy: 'Too many names were looked up. Try again in a minute, or enter the address itself.',
    disagree:
      'The nodes do not agree where this name leads. Try again in a moment, or enter the address itself.',
    unreachable: addressTexts['name-unread'],
  } as Readonly<Record<string, string>> & { readonly unreachable: string },
} as const
