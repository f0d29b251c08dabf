import { keccak256, parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A signed transaction: its raw bytes, and the object that nodes return for it. */
export interface Signed {
  readonly raw: string
  readonly hash: string
  readonly sender: string
  readonly nonce: number
  /** Null without replay protection. */
  readonly chainId: number | null
  /** The object as nodes return it, without block fields. */
  readonly object: Readonly<Record<string, unknown>>
}

const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const recipient = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** Signed by viem, as an independent check of the engine's parser. */
async function sign(nonce: number, chainId: number | null): Promise<Signed> {
  const fees =
    nonce % 2 === 0 || chainId === null
      ? ({ type: 'legacy', gasPrice: 30_000_000_000n } as const)
      : ({ type: 'eip1559', maxFeePerGas: 40_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n } as const)
  const wanted = {
    ...fees,
    ...(chainId === null ? {} : { chainId }),
    nonce,
    to: recipient,
    value: 1_000n + BigInt(nonce),
    gas: 21_000n,
  } as TransactionSerializable
  const raw = await account.signTransaction(wanted)
  const { r, s, v, yParity } = parseTransaction(raw)
  const isLegacy = fees.type === 'legacy'
  return {
    raw,
    hash: keccak256(raw),
    sender: account.address.toLowerCase(),
    nonce,
    chainId,
    object: {
      hash: keccak256(raw),
      type: isLegacy ? '0x0' : '0x2',
      from: account.address.toLowerCase(),
      nonce: hex(nonce),
      ...(isLegacy ? { gasPrice: hex(fees.gasPrice) } : {}),
      ...(isLegacy
        ? {}
        : {
            chainId: hex(chainId ?? 0),
            maxPriorityFeePerGas: hex(2_000_000_000n),
            maxFeePerGas: hex(40_000_000_000n),
          }),
      gas: hex(21_000n),
      to: recipient,
      value: hex(1_000n + BigInt(nonce)),
      input: '0x',
      ...(isLegacy ? {} : { accessList: [], yParity: hex(yParity ?? 0) }),
      v: hex(isLegacy ? (v ?? 0n) : (yParity ?? 0)),
      r: short(r),
      s: short(s),
    },
  }
}

const hex = (value: number | bigint) => `0x${value.toString(16)}`
const short = (value: string | undefined) => `0x${(value ?? '0x').slice(2).replace(/^0+(?=.)/, '')}`

export const chainIds = [137, 1, 42161] as const

/** Mined transactions. They have no chain id, so they are the same on every chain. */
export const mined: readonly Signed[] = await Promise.all(
  Array.from({ length: 10 }, (_, nonce) => sign(nonce, null)),
)
/** To be sent, by chain. */
export const unsent: ReadonlyMap<number, readonly Signed[]> = new Map(
  await Promise.all(
    chainIds.map(
      async (chainId) =>
        [
          chainId,
          await Promise.all(Array.from({ length: 4 }, (_, index) => sign(20 + index, chainId))),
        ] as const,
    ),
  ),
)
