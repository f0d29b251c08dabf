import { getAddress, isAddress } from 'viem'
import { createStoredList, ownStorage } from '../page/stored-list.ts'
import { isRecord } from '../parse-json.ts'

/** The name that led to the recipient or spender of a transaction. */
export interface NamedParty {
  readonly name: string
  /** Whether a service outside of the chain said so. */
  readonly isOffchain: boolean
  /** Whether it is the address on Ethereum, because there is none for the chain. */
  readonly isOfMainnet: boolean
  /** Of the look-up's certificate. */
  readonly certificateId: string | null
  /** Where the name led when this browser sent to it last, if to another address. */
  readonly before: `0x${string}` | null
}

/** What the route answered. */
export type FoundParty =
  | {
      readonly address: `0x${string}` | null
      readonly mainnetAddress: `0x${string}` | null
      readonly party: NamedParty
    }
  | { readonly why: string }

/** Looks a recipient's name up. Each review asks again: what was read before may have changed. */
export async function findParty(name: string, chainId: number): Promise<FoundParty> {
  const query = new URLSearchParams({ name, chain: String(chainId) })
  const response = await fetch(`/api/names?${query}`, { cache: 'no-store' }).catch(() => null)
  const body: unknown = await response?.json().catch(() => null)
  if (!isRecord(body) || typeof body.name !== 'string')
    return { why: isRecord(body) && typeof body.why === 'string' ? body.why : 'unreachable' }
  const [address, mainnetAddress] = [addressIn(body.address), addressIn(body.mainnetAddress)]
  const last = lastAddressOf(body.name, chainId)
  const found = address ?? mainnetAddress
  return {
    address,
    mainnetAddress,
    party: {
      name: body.name,
      isOffchain: body.isOffchain === true,
      isOfMainnet: address === null,
      certificateId: typeof body.certificateId === 'string' ? body.certificateId : null,
      before: last === found ? null : last,
    },
  }
}

function addressIn(value: unknown): `0x${string}` | null {
  return typeof value === 'string' && isAddress(value, { strict: false }) ? getAddress(value) : null
}

/** localStorage key of the addresses that names led to, by chain and name, the latest last. */
export const partiesKey = 'quorate.names'
export const partiesMax = 200

const knownParties = () => createStoredList(ownStorage(), partiesKey, isEntry)

function isEntry(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && typeof value[0] === 'string'
}

function lastAddressOf(name: string, chainId: number): `0x${string}` | null {
  return addressIn(new Map(knownParties().get()).get(`${chainId} ${name}`))
}

/** Remembers where a name led as something was sent to it, to say so where it leads to another address later. */
export function rememberParty({ name }: NamedParty, chainId: number, address: `0x${string}`): void {
  const key = `${chainId} ${name}`
  knownParties().save((parties) =>
    [...parties.filter(([known]) => known !== key), [key, address] as const].slice(-partiesMax),
  )
}
