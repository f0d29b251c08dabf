import fc from 'fast-check'
import { type Hex, toHex } from 'viem'

const bytes = (length: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => toHex(array))
const [word, address] = [bytes(32), bytes(20)]
const wei = fc.bigInt({ min: 0n, max: 2n ** 128n })

const common = {
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: fc.oneof(fc.nat(300), fc.nat(Number.MAX_SAFE_INTEGER)),
  gas: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  to: fc.option(address, { nil: undefined }),
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  data: fc.uint8Array({ maxLength: 300 }).map((array) => toHex(array)),
}
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(word, { maxLength: 3 }) }), {
  maxLength: 3,
})
/** With both fees of EIP-1559, of which the cap is not below the tip. */
const withFees = <Fields>(fields: fc.Arbitrary<Fields>) =>
  fc.tuple(fields, wei, wei).map(([transaction, tip, base]) => ({
    ...transaction,
    maxFeePerGas: tip + base,
    maxPriorityFeePerGas: tip,
  }))

const authorization = fc.record({
  chainId: fc.nat(),
  address,
  nonce: fc.nat(),
  r: word,
  s: word,
  yParity: fc.nat(1),
})
const blobHash = word.map((hash): Hex => `0x01${hash.slice(4)}`)

/** Any transaction of each type of Ethereum, unsigned, as viem takes it. */
export const anyTransaction = {
  legacy: fc.record({ type: fc.constant('legacy'), ...common, gasPrice: wei }),
  eip2930: fc.record({ type: fc.constant('eip2930'), ...common, gasPrice: wei, accessList }),
  eip1559: withFees(fc.record({ type: fc.constant('eip1559'), ...common, accessList })),
  eip4844: withFees(
    fc.record({
      type: fc.constant('eip4844'),
      ...{ ...common, accessList, to: address, maxFeePerBlobGas: wei },
      blobVersionedHashes: fc.array(blobHash, { minLength: 1, maxLength: 3 }),
    }),
  ),
  eip7702: withFees(
    fc.record({
      type: fc.constant('eip7702'),
      ...{ ...common, accessList, to: address },
      authorizationList: fc.array(authorization, { minLength: 1, maxLength: 2 }),
    }),
  ),
}

/** The number of a type. */
export const typeNumbers: Readonly<Record<string, number>> = {
  legacy: 0,
  eip2930: 1,
  eip1559: 2,
  eip4844: 3,
  eip7702: 4,
}
