import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionParameters,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
} from 'viem'
import type { Question, Quorum, ReadFailure, Reading } from '#lib/page/reading.ts'

/** A value that a quorum agreed on. */
export interface QuorumRead<Value> {
  readonly value: Value
  /** The agreed block it was read at. */
  readonly block: number | null
  /** The operators behind it; null from a gateway that does not say. */
  readonly evidence: Quorum | null
  /** Of its certificate: `/status/answers/{certificateId}` explains the value to operators. */
  readonly certificateId: string | null
}

export type Mutability = 'pure' | 'view'

/** A call of a `view` function, typed by its ABI as in viem's `readContract`. */
export type ContractRead<
  abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
  args extends ContractFunctionArgs<abi, Mutability, functionName>,
> = ContractFunctionParameters<abi, Mutability, functionName, args>

/** No value: `why` says whether the nodes disagree, are silent or cannot be reached. A contract that reverts is `refused`. */
export class QuorumReadError extends Error {
  readonly why: ReadFailure
  readonly certificateId: string | null

  constructor(why: ReadFailure, certificateId: string | null) {
    super(`no agreed value: ${why}`)
    this.name = 'QuorumReadError'
    this.why = why
    this.certificateId = certificateId
  }
}

/** Asks one chain one question. Never throws: what goes wrong is a reading. */
export type AskChain = (chainId: number, question: Question, signal?: AbortSignal) => Promise<Reading>

/** A query for TanStack Query. Its key is the same on the server and in the browser, so that one hands its value to the other. */
export interface QuorumReadQuery<Value> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal?: AbortSignal }) => Promise<QuorumRead<Value>>
}

/** Reads a contract at the agreed latest block. The query throws QuorumReadError, or viem's error for a result that is none. */
export function contractQuery<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
  const args extends ContractFunctionArgs<abi, Mutability, functionName>,
>(
  chainId: number,
  read: ContractRead<abi, functionName, args>,
  ask: AskChain,
): QuorumReadQuery<ContractFunctionReturnType<abi, Mutability, functionName, args>> {
  const { abi, address, functionName, args } = read as ContractFunctionParameters
  const data = encodeFunctionData({ abi, functionName, args } as EncodeFunctionDataParameters)
  return query(chainId, { method: 'eth_call', params: [{ to: address, data }, 'latest'] }, ask, (value) =>
    decodeFunctionResult({ abi, functionName, args, data: value as Hex }),
  ) as never
}

/** Reads the native balance of an address, in its smallest unit, at the agreed latest block. */
export function balanceQuery(
  chainId: number,
  { address }: { readonly address: `0x${string}` },
  ask: AskChain,
): QuorumReadQuery<bigint> {
  return query(chainId, { method: 'eth_getBalance', params: [address, 'latest'] }, ask, (value) =>
    BigInt(value as Hex),
  )
}

function query<Value>(
  chainId: number,
  question: Question,
  ask: AskChain,
  decode: (value: unknown) => Value,
): QuorumReadQuery<Value> {
  return {
    queryKey: ['quorum-read', chainId, question.method, question.params],
    async queryFn({ signal }) {
      const reading = await ask(chainId, question, signal)
      if (reading.state === 'waiting') throw new QuorumReadError('silent', null)
      if (reading.state === 'refused') throw new QuorumReadError(reading.why, reading.answer)
      const { value, block, quorum, answer } = reading
      return { value: decode(value), block, evidence: quorum, certificateId: answer }
    },
  }
}
