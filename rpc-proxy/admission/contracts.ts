import type { ChainConfig } from '../config/config-types.ts'
import type { Executions, Overrides } from '../methods/call-object.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { aggregate3, multicall3 } from '../methods/multicall.ts'

/** Sub-calls of one call that are looked at, nested ones included: lists inside lists could otherwise multiply. */
const subCallsMax = 4096
const depthMax = 3

/**
 * Whether a call runs only contracts of this list. Multicall3 may be called when all that it is to call may be; creation
 * code may not, nor an account whose code or storage the caller made up, since both run whatever the caller likes.
 */
export function isAllowed(
  spec: Pick<MethodSpec, 'executionsOf'>,
  params: readonly unknown[],
  contracts: ReadonlySet<string>,
): boolean {
  const executions = spec.executionsOf?.(params)
  if (executions === undefined) return true
  if (executions.overrides.some(changesCode)) return false
  return targetsOf(executions.calls)?.every((target) => contracts.has(target)) ?? false
}

/** What these calls run, the calls inside Multicall3 in its place; null where that cannot be told, and for creation code. */
function targetsOf(calls: Executions['calls']): readonly string[] | null {
  let left = subCallsMax
  const inside = ({ target, data }: SubCall, depth: number): readonly (string | null)[] => {
    if (target !== multicall3) return [target]
    const inner = depth < depthMax ? subCalls(data, left) : null
    left -= inner?.length ?? 0
    return inner?.flatMap((call) => inside(call, depth + 1)) ?? [null]
  }
  const targets = calls.flatMap(({ to, data = '0x' }) =>
    to === undefined ? [null] : inside({ target: to, data }, 0),
  )
  const known = targets.filter((target) => target !== null)
  return known.length === targets.length ? known : null
}

const codeFields = ['code', 'state', 'stateDiff', 'movePrecompileToAddress'] as const

function changesCode(overrides: Overrides): boolean {
  return Object.values(overrides).some((account) => codeFields.some((field) => Object.hasOwn(account, field)))
}

interface SubCall {
  readonly target: string
  readonly data: string
}

/** What Multicall3 reads about the chain and its accounts; none of these runs another contract. */
const getters: ReadonlySet<string> = new Set([
  '0x3e64a696', // getBasefee()
  '0xee82ac5e', // getBlockHash(uint256)
  '0x42cbb15c', // getBlockNumber()
  '0x3408e470', // getChainId()
  '0xa8b0574e', // getCurrentBlockCoinbase()
  '0x86d516e8', // getCurrentBlockGasLimit()
  '0x0f28c97d', // getCurrentBlockTimestamp()
  '0x4d2301cc', // getEthBalance(address)
  '0x27e86d6e', // getLastBlockHash()
])

/**
 * The calls inside a call to Multicall3: none for its getters, and null for what is neither those nor a well-formed
 * `aggregate3` of at most `callsMax` calls. `data` is lower-case hex.
 *
 * It follows the offsets as Solidity does, so that what is looked at is what will run. Calls that share bytes are not well-formed: no
 * encoder writes them, and few bytes would be copied many times.
 */
export function subCalls(data: string, callsMax: number): readonly SubCall[] | null {
  const selector = data.slice(0, 10)
  if (getters.has(selector)) return []
  if (selector !== aggregate3) return null

  const body = data.slice(10)
  const list = numberAt(body, 0)
  const length = numberAt(body, list)
  if (!(length <= callsMax)) return null
  const calls: SubCall[] = []
  let digitsLeft = body.length
  for (let index = 0; index < length; index += 1) {
    const call = list + wordBytes + numberAt(body, list + wordBytes * (index + 1))
    const bytes = call + numberAt(body, call + 2 * wordBytes)
    const bytesLength = numberAt(body, bytes)
    const address = wordAt(body, call)
    const end = bytes + wordBytes + bytesLength
    digitsLeft -= bytesLength * 2
    // Every comparison with NaN is false, so that whatever lies outside the data ends here.
    if (!address.startsWith('0'.repeat(24)) || !(end * 2 <= body.length) || digitsLeft < 0) return null
    calls.push({
      target: `0x${address.slice(24)}`,
      data: `0x${body.slice((bytes + wordBytes) * 2, end * 2)}`,
    })
  }
  return calls
}

const wordBytes = 32

/** 64 hex digits, or fewer at the end of the data. */
const wordAt = (body: string, at: number): string => body.slice(at * 2, (at + wordBytes) * 2)

/** The number in a word; NaN where there is no whole word, or a number that no offset or length can be. */
function numberAt(body: string, at: number): number {
  const word = wordAt(body, at)
  if (!(at >= 0) || word.length < 2 * wordBytes || !word.startsWith('0'.repeat(56))) return Number.NaN
  return Number.parseInt(word.slice(56), 16)
}

/** By name: `standard` is a protected round; with `bridge` all operators must agree on logs and receipts. */
export type Protection = ChainConfig['protect']['policy']

/**
 * How a call is protected, and null where it is not: all are, its method is named, or one of the contracts is called, also from within Multicall3,
 * or read: its balance, code, storage or logs.
 */
export function protection({
  policy,
  all,
  methods,
  contracts,
}: Omit<ChainConfig['protect'], 'operatorsMin'>) {
  const methodSet = new Set(methods)
  const contractSet = new Set(contracts)
  const isNamed = (value: unknown) => typeof value === 'string' && contractSet.has(value.toLowerCase())

  function isCalled(spec: Pick<MethodSpec, 'executionsOf'>, params: readonly unknown[]): boolean {
    const calls = spec.executionsOf?.(params)?.calls ?? []
    if (calls.some(({ to }) => isNamed(to))) return true
    const targets = targetsOf(calls.filter(({ to }) => to !== undefined))
    // What cannot be told counts as protected.
    return targets === null || targets.some(isNamed)
  }

  return (
    spec: Pick<MethodSpec, 'method' | 'executionsOf'>,
    params: readonly unknown[],
  ): Protection | null => {
    if (all || methodSet.has(spec.method)) return policy
    if (contractSet.size === 0) return null
    const isRead = params.some((param) => isNamed(param) || addressesOf(param).some(isNamed))
    return isRead || isCalled(spec, params) ? policy : null
  }
}

/** The addresses of a log filter. */
function addressesOf(param: unknown): readonly unknown[] {
  if (typeof param !== 'object' || param === null || !('address' in param)) return []
  return Array.isArray(param.address) ? param.address : [param.address]
}
