import {
  AbiDecodingZeroDataError,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createClient,
  custom,
  getAddress,
  type Hex,
  isAddress,
  RpcRequestError,
} from 'viem'
import { getEnsAddress, getEnsName, normalize, toCoinType } from 'viem/ens'
import { namesChainId } from '../config/features.ts'
import { decodeReading } from '../page/batch-readings.ts'
import { type Quorum, type ReadFailure, weakestOf } from '../page/reading.ts'
import { isRecord, parseJson } from '../parse-json.ts'
import { isByMajority, type ProtectedCall } from '../sign-in/contract.ts'

/** ENS's Universal Resolver on chain 1, as viem has it: to import that would load every chain. */
export const universalResolver: Address = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe'

/** Asks the gateways that a contract names, one after the other. Throws where none has replied. */
export type FetchGateways = (request: {
  readonly urls: readonly string[]
  readonly sender: string
  readonly data: Hex
  readonly signal: AbortSignal
  /** Before each request; false once there have been enough. */
  readonly take: () => boolean
}) => Promise<Hex>

interface LookUpOptions {
  readonly call: ProtectedCall
  /** Null where nothing outside of the chain can be asked. */
  readonly fetchGateways: FetchGateways | null
}

/** What all values of one look-up rest on. */
export interface NameEvidence {
  readonly block: number
  readonly quorum: Quorum | null
  readonly certificateId: string | null
  /** Whether a service outside of the chain was asked. What it says, the name's resolver has accepted. */
  readonly isOffchain: boolean
}

/**
 * Why a look-up has no result. `no-name`: ENSIP-15 does not allow it. `resolver`: the name's contract, or a service outside of the chain,
 * gives no usable answer.
 */
export type NameFailure = Exclude<ReadFailure, 'refused'> | 'resolver' | 'no-name'

export class NameError extends Error {
  override readonly name = 'NameError'
  readonly why: NameFailure

  constructor(why: NameFailure) {
    super(`no name: ${why}`)
    this.why = why
  }
}

/** Gateways that may be asked in one look-up, and how long all of them may take together. */
export const gatewaysMax = 5
export const gatewaysMsMax = 5_000
/** A resolver may ask for one look-up after the other: EIP-3668 leaves the end of that to its clients. */
export const callsMax = 12
/** No call begins later than that after the first. */
const lookUpMsMax = 30_000

/**
 * One look-up: every call of it reads the same agreed block, in protected rounds, also those that take what a gateway has replied. viem
 * speaks the protocol. It would make the latter at the latest block, so the block is put into each call here.
 */
export class LookUp {
  readonly #options: LookUpOptions
  readonly #quorums: (Quorum | null)[] = []
  readonly #untilMs = performance.now() + lookUpMsMax
  #failure: NameFailure | null = null
  #block: number | null = null
  #certificateId: string | null = null
  #calls = 0
  #gateways = 0
  #signal: AbortSignal | null = null

  constructor(options: LookUpOptions) {
    this.#options = options
  }

  /** The address that a normalized name has for a chain; null where it has none. Throws NameError. */
  async addressOf(name: string, chainId: number): Promise<Address | null> {
    if (chainId > coinChainIdMax) return null
    const coinType = toCoinType(chainId)
    const record = await this.#read(() => getEnsAddress(this.#client, { ...contract, name, coinType }))
    if (record === null) return null
    // viem returns whatever bytes the record has.
    if (!isAddress(record, { strict: false })) throw new NameError('resolver')
    return getAddress(record)
  }

  /** The name that an account has chosen for a chain, if that name leads to the account there. Throws NameError. */
  async nameOf(address: Address, chainId: number): Promise<string | null> {
    const own = chainId > coinChainIdMax ? [] : [toCoinType(chainId)]
    for (const coinType of [...own, toCoinType(0)]) {
      const name = await this.#read(() => getEnsName(this.#client, { ...contract, address, coinType }))
      // A resolver may return what looks like another name: ENSIP-15.
      if (name !== null || chainId === namesChainId) return name === normalName(name ?? '') ? name : null
    }
    return null
  }

  evidence(): NameEvidence {
    return {
      block: this.#block ?? 0,
      quorum: weakestOf(this.#quorums),
      certificateId: this.#certificateId,
      isOffchain: this.#gateways > 0,
    }
  }

  get #client() {
    const { fetchGateways } = this.#options
    return createClient({
      transport: custom({ request: (request) => this.#request(request) }, { retryCount: 0 }),
      ccipRead: fetchGateways !== null && {
        request: ({ urls, sender, data }) => {
          this.#signal ??= AbortSignal.timeout(gatewaysMsMax)
          const take = () => ++this.#gateways <= gatewaysMax
          return fetchGateways({ urls, sender, data, signal: this.#signal, take })
        },
      },
    })
  }

  async #read<Value>(read: () => Promise<Value | null>): Promise<Value | null> {
    try {
      return await read()
    } catch (cause) {
      if (this.#failure !== null) throw new NameError(this.#failure)
      // Where there is no such contract, there are no names.
      if (cause instanceof BaseError && cause.walk((each) => each instanceof AbiDecodingZeroDataError))
        return null
      const error = revertOf(cause)
      // A resolver reverts, too, over a gateway's reply that is not signed as it should be.
      if (noRecord.includes(error) || (error === 'ResolverError' && this.#gateways === 0)) return null
      throw new NameError('resolver')
    }
  }

  async #request({ params }: { readonly params: readonly unknown[] }): Promise<unknown> {
    if (++this.#calls > callsMax || performance.now() > this.#untilMs) return this.#fail('resolver')
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [params[0], this.#at()] }
    const reply = parseJson(await this.#options.call(namesChainId, JSON.stringify(body)))
    const reading = decodeReading(reply)
    if (reading.state === 'refused' && reading.why !== 'refused') return this.#fail(reading.why)
    if (!isRecord(reply) || !isByMajority(reply)) return this.#fail('silent')
    const { block, quorum, answer } = evidenceIn(reply)
    if (block === null) return this.#fail('silent')
    this.#block ??= block
    this.#certificateId = answer
    this.#quorums.push(quorum)
    if (reading.state === 'agreed') return reading.value
    throw new RpcRequestError({ body, error: reply.error as { code: number; message: string }, url: '' })
  }

  #at(): string {
    return this.#block === null ? 'latest' : `0x${this.#block.toString(16)}`
  }

  #fail(why: NameFailure): never {
    this.#failure = why
    throw new NameError(why)
  }
}

/** A name as ENSIP-15 writes it; null for what is none. It has a dot: what has none may be anything. */
export function normalName(text: string): string | null {
  if (text.length > nameCharsMax || !text.includes('.')) return null
  try {
    return normalize(text)
  } catch {
    return null
  }
}

/** The largest chain id that a name can have a record for (ENSIP-11). */
const coinChainIdMax = 0x7fff_ffff

/** The longest name: of DNS, in whose form the resolver takes it. */
export const nameCharsMax = 255

const contract = { universalResolverAddress: universalResolver, strict: true } as const

/** An agreed revert has evidence as well. */
function evidenceIn(reply: Record<string, unknown>) {
  const reading = decodeReading({ result: null, quorate: reply.quorate })
  return reading.state === 'agreed' ? reading : { block: null, quorum: null, answer: null }
}

/** The resolver's ways to say that there is no such record. viem takes failures of gateways for one too. */
const noRecord = [
  'ResolverNotFound',
  'ResolverNotContract',
  'ReverseAddressMismatch',
  'UnsupportedResolverProfile',
]

function revertOf(cause: unknown): string {
  const isRevert = (each: unknown) => each instanceof ContractFunctionRevertedError
  const revert = cause instanceof BaseError ? cause.walk(isRevert) : null
  return revert instanceof ContractFunctionRevertedError ? (revert.data?.errorName ?? '') : ''
}
