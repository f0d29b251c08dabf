import { type Address, getAddress } from 'viem'

/** For `import()`: a hash that no page needs before it works. */
export function checksum(address: string): Address {
  return getAddress(address)
}
