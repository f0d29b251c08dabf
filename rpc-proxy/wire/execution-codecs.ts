import {
  address,
  byQuantity,
  type Codec,
  data,
  hash,
  itemsOf,
  list,
  objectOf,
  preprocess,
  quantity,
  raise,
  scalar,
  word,
} from './codecs.ts'
import { emptyCode, emptyRoot } from './header-hash.ts'
import { record } from './record.ts'

/** The path to a key has a node for each of its 64 half bytes, and a root. */
const path = list(data, { itemsMax: 65 })
const keysMax = 256
const account = record({
  address,
  balance: quantity,
  codeHash: hash,
  nonce: quantity,
  storageHash: hash,
  accountProof: path,
  storageProof: list(record({ key: word, value: quantity, proof: path }), { itemsMax: keysMax }),
})

const zeros = `0x${'0'.repeat(64)}`

/** Of an account that is not there, some clients say the hashes of nothing, and some (geth since 1.13.4, erigon) zeros. */
function present(value: unknown): Readonly<Record<string, unknown>> {
  const given = objectOf(value)
  const { balance, nonce, codeHash, storageHash } = given
  if (![balance, nonce].every((each) => quantity.read(each) === '0x0')) return given
  return {
    ...given,
    codeHash: codeHash === zeros ? emptyCode : codeHash,
    storageHash: storageHash === zeros ? emptyRoot : storageHash,
  }
}

export const proof = preprocess(present, account)

/** Addresses and their keys as sets: nodes list them in any order, and some list an address twice. */
const accessSet = scalar((value) => {
  const keysOf = new Map<string, Set<string>>()
  for (const item of itemsOf(value)) {
    const entry = objectOf(item)
    const account = address.read(entry.address)
    const keys = keysOf.get(account) ?? new Set()
    for (const key of itemsOf(entry.storageKeys)) keys.add(hash.read(key))
    keysOf.set(account, keys)
  }
  return [...keysOf.keys()]
    .sort()
    .map((account) => ({ address: account, storageKeys: [...(keysOf.get(account) ?? [])].sort() }))
})

/** That a simulation failed is compared; the words for it are each node's own, so ours stand in for them. */
const failure = scalar((value) => (value == null || value === '' ? null : 'execution reverted'))

/**
 * Gas that honest clients count in two ways: Nethermind adds the list's own cost to a run without it, others run the call again
 * with the list. A client may pay by it: out of several, it is returned only where a quorum says at most and a quorum at least
 * that, which no minority can move out of what honest nodes say; else there is no such key.
 */
const listedGas: Codec = {
  read: quantity.read,
  merge: (values, { agree }) => {
    const canonical = values.map(quantity.read)
    if (canonical.every((gas) => gas === canonical[0])) return canonical[0]
    const placesWhere = (holds: (gas: string) => boolean) =>
      canonical.flatMap((gas, index) => (holds(gas) ? [index] : []))
    return canonical.find(
      (gas) =>
        agree(placesWhere((other) => byQuantity(other, gas) <= 0)) &&
        agree(placesWhere((other) => byQuantity(other, gas) >= 0)),
    )
  },
}

export const accessListResult = record({ accessList: accessSet, gasUsed: listedGas, error: failure })

/** eth_getStorageValues: words by account, in the order asked. */
export const storage = scalar((value) => {
  const accounts = Object.entries(objectOf(value)).map(
    ([account, words]) => [address.read(account), itemsOf(words).map(word.read)] as const,
  )
  accounts.sort(([one], [other]) => (one < other ? -1 : 1))
  return new Set(accounts.map(([account]) => account)).size === accounts.length
    ? Object.fromEntries(accounts)
    : raise()
})
