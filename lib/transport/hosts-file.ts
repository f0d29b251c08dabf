import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'

/** The addresses that a hosts file gives a name, in its order. Names are compared without regard to case. */
export function readHosts(text: string, hostname: string): readonly LookupAddress[] {
  const name = hostname.toLowerCase()
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((each) => each.toLowerCase() === name) ? [{ address, family }] : []
  })
}
