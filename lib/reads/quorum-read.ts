import type { Hex } from 'viem'
import type { Quorum, ReadCall, ReadChain, ReadFailure, Reading } from '#lib/page/reading.ts'

/** A value that a quorum agreed on. */
export interface QuorumRead<Value> {
  readonly value: Value
  /** The agreed block it was read at. */
  readonly block: number | null
  /** The operators behind it; null from a gateway that does not say. */
  readonly evidence: Quorum | null
  /** Of its certificate: `/answers/{certificateId}` explains the value. */
  readonly certificateId: string | null
}

/**
 * No value: `why` says whether the nodes disagree, are silent or cannot be reached. A contract that reverts is `refused`, and
 * `waiting` is a read that takes longer than a page waits.
 */
export class QuorumReadError extends Error {
  readonly why: ReadFailure | 'waiting'
  readonly certificateId: string | null

  constructor(why: ReadFailure | 'waiting', certificateId: string | null) {
    super(`no agreed value: ${why}`)
    this.name = 'QuorumReadError'
    this.why = why
    this.certificateId = certificateId
  }
}

/** A query for TanStack Query. Its key is the same on the server and in the browser, so that one hands its value to the other. */
export interface QuorumReadQuery<Value> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: () => Promise<QuorumRead<Value>>
}

/** Reads the native balance of an address, in its smallest unit, at the agreed latest block. */
export function balanceQuery(
  chainId: number,
  { address }: { readonly address: `0x${string}` },
  readChain: ReadChain,
): QuorumReadQuery<bigint> {
  return quorumQuery(chainId, { method: 'eth_getBalance', params: [address, 'latest'] }, readChain, toUnits)
}

/** Reads the number of the agreed head. */
export function headQuery(chainId: number, readChain: ReadChain): QuorumReadQuery<bigint> {
  return quorumQuery(chainId, { method: 'eth_blockNumber', params: [] }, readChain, toUnits)
}

/** Reads what one question asks for. The query throws QuorumReadError, or what `decode` throws. */
export function quorumQuery<Value>(
  chainId: number,
  readCall: ReadCall,
  readChain: ReadChain,
  decode: (value: unknown) => Value,
): QuorumReadQuery<Value> {
  return {
    queryKey: ['quorum-read', chainId, readCall.method, readCall.params],
    async queryFn() {
      const [reading] = await readChain(chainId, [readCall])
      const { value, ...read } = agreedRead(reading)
      return { ...read, value: decode(value) }
    },
  }
}

/** Throws QuorumReadError where it is not agreed. */
export function agreedRead(reading: Reading | undefined): QuorumRead<unknown> {
  if (reading?.state !== 'agreed')
    throw new QuorumReadError(
      reading?.state === 'refused' ? reading.why : 'waiting',
      reading?.state === 'refused' ? reading.answer : null,
    )
  const { value, block, quorum, answer } = reading
  return { value, block, evidence: quorum, certificateId: answer }
}

function toUnits(value: unknown): bigint {
  return BigInt(value as Hex)
}
