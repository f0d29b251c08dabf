import {
  address,
  data,
  type Form,
  hash,
  itemsOf,
  list,
  nullable,
  objectOf,
  quantity,
  raise,
  ratio,
  record,
  scalar,
  word,
} from './forms.ts'

export const proof = record({
  address,
  balance: quantity,
  codeHash: hash,
  nonce: quantity,
  storageHash: hash,
  accountProof: list(data),
  storageProof: list(record({ key: word, value: quantity, proof: list(data) })),
})

/** A list that says nothing where all of it is zero: chains without blobs say it so or not at all. */
const unlessZero = (form: Form): Form => {
  const isNothing = (value: unknown) => value == null || itemsOf(value).every((item) => Number(item) === 0)
  return {
    read: (value, reading) => (isNothing(value) ? null : form.read(value, reading)),
    merge: (values, merging) => (isNothing(values[0]) ? values[0] : form.merge(values, merging)),
  }
}

/** No percentiles asked: some nodes leave the rewards out, some say null, some say an empty list. */
const rewards: Form = {
  read: (value, reading) => (isEmpty(value) ? null : matrix.read(value, reading)),
  merge: (values, merging) => (isEmpty(values[0]) ? [] : matrix.merge(values, merging)),
}
const matrix = list(list(quantity))
const isEmpty = (value: unknown) =>
  value == null || (Array.isArray(value) && value.every((row) => row?.length === 0))

export const feeHistory = record({
  oldestBlock: quantity,
  baseFeePerGas: list(quantity),
  gasUsedRatio: list(ratio),
  reward: rewards,
  baseFeePerBlobGas: unlessZero(list(quantity)),
  blobGasUsedRatio: unlessZero(list(ratio)),
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

const simulatedLog = record({ address, topics: list(hash), data })
const integer = scalar((value) => (Number.isInteger(value) ? value : raise()))
const simulatedCall = record({
  status: quantity,
  returnData: data,
  gasUsed: quantity,
  logs: list(simulatedLog),
  error: nullable(record({ code: integer, data: nullable(data) })),
})

/** eth_simulateV1: what the calls did. The made-up block around them is returned as far as the nodes agree on it. */
export const simulation = list(
  record({
    number: quantity,
    timestamp: quantity,
    gasLimit: quantity,
    gasUsed: quantity,
    baseFeePerGas: nullable(quantity),
    calls: list(simulatedCall),
  }),
)

const nowhere = { chainId: 0 }
