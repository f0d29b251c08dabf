import type { Mutant } from '../mutant.ts'

export const numbers: readonly Mutant[] = [
  {
    name: 'tells the head’s base fee for the next block’s',
    file: 'methods/fees.ts',
    find: 'const base = BigInt(baseFeePerGas?.at(-1) ?? 0)',
    replace: 'const base = BigInt(baseFeePerGas?.at(-2) ?? 0)',
    by: 'sim',
  },
  {
    name: 'makes up a blob base fee for a chain without blobs',
    file: 'methods/fees.ts',
    find: "next === undefined || BigInt(next) === 0n ? 'null' :",
    replace: 'next === undefined ? \'"0x1"\' :',
    by: 'sim',
  },
  {
    name: 'suggests a tip that Polygon’s nodes refuse',
    file: 'methods/fees.ts',
    find: 'return tip < min ? min : tip',
    replace: 'return tip',
    by: 'scenarios/fees.test.ts',
  },
  {
    name: 'leaves the reason of a revert out of its message',
    file: 'outcome.ts',
    find: 'message: revertMessage(said.revert), data',
    replace: 'data',
    by: 'scenarios/words.test.ts',
  },
  {
    name: 'lets a contract write control characters into messages',
    file: 'methods/revert-reason.ts',
    find: ".replace(unprintable, '')",
    replace: '',
    by: 'rpc-proxy/methods/revert-reason.test.ts',
  },
]
