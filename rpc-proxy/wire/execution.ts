import {
  address,
  data,
  type Form,
  hash,
  itemsOf,
  list,
  malformed,
  nullable,
  objectOf,
  quantity,
  raise,
  ratio,
  record,
  scalar,
  word,
} from './forms.ts'

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

export const proof: Form = {
  read: (value, reading) => account.read(present(value), reading),
  merge: (values, merging) => account.merge(values.map(present), merging),
}

const zeros = `0x${'0'.repeat(64)}`
const noCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const noStorage = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** Of an account that is not there, some clients say the hashes of nothing, and some (geth since 1.13.4, erigon) zeros. */
function present(value: unknown): Readonly<Record<string, unknown>> {
  const given = objectOf(value)
  const { balance, nonce, codeHash, storageHash } = given
  if (![balance, nonce].every((each) => quantity.read(each, nowhere) === '0x0')) return given
  return {
    ...given,
    codeHash: codeHash === zeros ? noCode : codeHash,
    storageHash: storageHash === zeros ? noStorage : storageHash,
  }
}

/** A list that says nothing where all of it is zero, however long: chains without blobs say it so or not at all. */
const unlessZero = (form: Form): Form => {
  const read: Form['read'] = (value, reading) => {
    const items = value == null ? [] : (form.read(value, reading) as readonly unknown[])
    return items.every((item) => item === '0x0' || item === 0) ? null : items
  }
  return {
    read,
    merge: (values, merging) => (read(values[0], merging) === null ? null : form.merge(values, merging)),
  }
}

const blocksMax = 1024
const percentilesMax = 100
/** A value for each block, and some lists have one for the next. */
const byBlock = { itemsMax: blocksMax + 1 }

/** No percentiles asked: some nodes leave the rewards out, some say null, some say an empty list. */
const rewards: Form = {
  read: (value, reading) => (isEmpty(value) ? null : matrix.read(value, reading)),
  merge: (values, merging) => (isEmpty(values[0]) ? [] : matrix.merge(values, merging)),
}
const matrix = list(list(quantity, { itemsMax: percentilesMax }), byBlock)
const isEmpty = (value: unknown) =>
  value == null || (Array.isArray(value) && value.every((row) => Array.isArray(row) && row.length === 0))

export const feeHistory = record({
  oldestBlock: quantity,
  baseFeePerGas: list(quantity, byBlock),
  gasUsedRatio: list(ratio, byBlock),
  reward: rewards,
  baseFeePerBlobGas: unlessZero(list(quantity, byBlock)),
  blobGasUsedRatio: unlessZero(list(ratio, byBlock)),
})

/** Addresses and their keys as sets: nodes list them in any order, and some list an address twice. */
const accessSet = scalar((value) => {
  const keysOf = new Map<string, Set<string>>()
  for (const item of itemsOf(value)) {
    const entry = objectOf(item)
    const account = address.read(entry.address, nowhere) as string
    const keys = keysOf.get(account) ?? new Set()
    for (const key of itemsOf(entry.storageKeys)) keys.add(hash.read(key, nowhere) as string)
    keysOf.set(account, keys)
  }
  return [...keysOf.keys()]
    .sort()
    .map((account) => ({ address: account, storageKeys: [...(keysOf.get(account) ?? [])].sort() }))
})

/** That a simulation failed is compared; the words for it are each node's own, so ours stand in for them. */
const failure = scalar((value) => (value == null || value === '' ? null : 'execution reverted'))

export const accessListResult = record({ accessList: accessSet, gasUsed: quantity, error: failure })

/** eth_getStorageValues: words by account, in the order asked. */
export const storage = scalar((value) => {
  const accounts = Object.entries(objectOf(value)).map(
    ([account, words]) =>
      [
        address.read(account, nowhere) as string,
        itemsOf(words).map((item) => word.read(item, nowhere)),
      ] as const,
  )
  accounts.sort(([one], [other]) => (one < other ? -1 : 1))
  return new Set(accounts.map(([account]) => account)).size === accounts.length
    ? Object.fromEntries(accounts)
    : raise()
})

export const simulatedLog = record({ address, topics: list(hash), data })
/** What a call that reverts is numbered with today; older nodes say -32000, as of much else. */
const reverted = 3
const code = scalar((value) => {
  if (!Number.isInteger(value)) throw malformed
  return value === -32000 ? reverted : value
})
export const simulatedCall = record({
  status: quantity,
  returnData: data,
  gasUsed: quantity,
  logs: list(simulatedLog),
  error: nullable(record({ code, data: nullable(data) })),
})

/** eth_simulateV1: what the calls did. The made-up block around them is returned as far as the nodes agree on it. */
export const simulatedBlock = record({
  number: quantity,
  timestamp: quantity,
  gasLimit: quantity,
  gasUsed: quantity,
  baseFeePerGas: nullable(quantity),
  calls: list(simulatedCall),
})
export const simulation = list(simulatedBlock)

const nowhere = { chainId: 0 }
