import type { Protection } from '../admission/contracts.ts'
import { isPending } from '../methods/block-ref.ts'
import type { Fit } from '../methods/call-object.ts'
import { feeHistoryParams } from '../methods/fees.ts'
import { hexText } from '../methods/local.ts'
import type { MethodSpec, StrategyId } from '../methods/method-spec.ts'
import { methodSpec, specFor } from '../methods/table.ts'
import { andThen, type Soon } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import type { Call } from '../wire/types.ts'
import { cachedRead } from './cached-read.ts'
import { capabilities } from './capabilities.ts'
import { callFilter } from './filter.ts'
import { pendingNonce } from './nonce.ts'
import { charge, headResult, ownResult, readScopeOf, type Scope, strictest } from './scope.ts'
import { sendAndWait } from './send-and-wait.ts'
import { sendTransaction } from './send-transaction.ts'
import type { CallResult, Services } from './services.ts'
import { callSubscription, notSupported } from './subscribe.ts'
import { transactionByNonce } from './transaction-by-nonce.ts'

/**
 * Serves one call: looks its method up, parses the params, charges the caller, and answers by the method's strategy. Throws CallError for
 * everything that has no answer.
 */
export function handleCall(services: Services, call: CallInFlight, scope: Scope): Soon<CallResult> {
  const described = methodSpec(call.method)
  if (described.strategy === 'refused') throw noMethod(call.method)
  if (described.strategy === 'subscription' && scope.subscribing === null) throw notSupported()
  const params = described.parse(call.params)
  const spec = specFor(described, params)
  const own = underProtection(spec, strictest(scope.wanted, scope.chain.protectionOf(spec, params)), scope)
  call.cost = charge(services, { spec, params }, own)
  call.isPinnedPending = isPinnedPending(spec, call.params)
  return serveBy[spec.strategy](services, { spec, params }, own)
}

/** Under `bridge` all operators must agree on logs and receipts, which verify messages between chains; else it is as `standard`. */
function underProtection(
  { method, strategy }: MethodSpec,
  protection: Protection | null,
  scope: Scope,
): Scope {
  if (protection === null) return scope
  const isOfLogs = strategy === 'logs' || strategy === 'filter' || receiptMethods.has(method)
  return scope.under(protection === 'bridge' && isOfLogs ? 'bridge' : 'protected')
}

const receiptMethods: ReadonlySet<string> = new Set(['eth_getTransactionReceipt', 'eth_getBlockReceipts'])

/** What a call leaves behind on its way. */
export interface CallInFlight extends Call {
  /** What its caller has paid for it. */
  cost: number
  /** The caller wrote `pending`, and is answered at the agreed head. */
  isPinnedPending: boolean
}

type Serve = (services: Services, request: Charged, scope: Scope) => Soon<CallResult>

/** A call that has been parsed. */
interface Charged {
  readonly spec: MethodSpec
  readonly params: readonly unknown[]
}

const voted: Serve = (services, { spec, params }, scope) =>
  spec.fit === undefined
    ? cachedRead(services, spec, params, scope)
    : execution(services, { spec, params, fitTo: spec.fit }, scope)

/** A call that nodes run, with the gas that a block of the chain allows. */
async function execution(
  services: Services,
  { spec, params, fitTo }: Charged & { fitTo: Fit },
  scope: Scope,
): Promise<CallResult> {
  const { chain } = scope
  // Before the first head the call waits for it. If none comes, the nodes' own limits apply.
  const head = chain.heads.current() ?? (await Promise.resolve(scope.head()).catch(() => null))
  const gasLimit = chain.heads.agreed.blockOf(head?.block.hash ?? '')?.gasLimit ?? null
  return cachedRead(services, spec, fitTo(params, { chainId: chain.config.id, gasLimit }), scope)
}

const serveBy: Readonly<Record<StrategyId, Serve>> = {
  local: (_, { spec, params }, { chain: { config } }) =>
    ownResult(column(spec, 'ownReply')({ chainId: config.id, nodes: config.nodes.length, params })),
  head: (_, __, scope) =>
    andThen(scope.head(), (head) => headResult(scope.chain, head, hexText(head.block.number))),
  derived: derivedFee,
  broadcast: (services, { params: [raw, waitMs] }, scope) =>
    typeof waitMs === 'number'
      ? sendAndWait(services, [String(raw), waitMs], scope)
      : sendTransaction(services, scope, String(raw)),
  search: (services, { params: [sender, nonce] }, scope) =>
    transactionByNonce(services, [String(sender), String(nonce)], scope),
  capabilities: (services, _, scope) => capabilities(services, scope),
  highest: (services, { spec, params }, scope) => pendingNonce(services, spec, params, readScopeOf(scope)),
  filter: (services, { spec: { method }, params }, scope) => {
    const { filters } = services
    if (filters === null) throw noMethod(method)
    return callFilter(filters, { method, params }, scope, services)
  },
  subscription: (services, { params }, scope) => callSubscription(services, params, scope),
  refused: (_, { spec }) => {
    throw noMethod(spec.method)
  },
  equality: voted,
  lookup: voted,
  logs: voted,
  estimate: voted,
  succeeds: voted,
}

async function derivedFee(services: Services, { spec }: Charged, scope: Scope): Promise<CallResult> {
  const history = await cachedRead(services, methodSpec('eth_feeHistory'), feeHistoryParams, scope)
  if ('error' in history.outcome) return history
  const fee = column(spec, 'fee')(JSON.parse(history.outcome.raw), scope.chain.config.id)
  return { ...history, outcome: { raw: fee } }
}

/** A column that every row with this strategy has. */
function column<Name extends 'ownReply' | 'fee'>(
  spec: MethodSpec,
  name: Name,
): NonNullable<MethodSpec[Name]> {
  const value = spec[name]
  if (value === undefined) throw new CallError('breach', { detail: `${spec.method} has no ${name}` })
  return value
}

/** `pending` as the caller wrote it: canonical params have the agreed head in its place. */
function isPinnedPending({ pin }: MethodSpec, params: readonly unknown[]): boolean {
  return typeof pin === 'number' && isPending(params[pin])
}

function noMethod(method: string): CallError {
  return new CallError('no-method', {
    message: `the method ${printable(method)} does not exist / is not available`,
  })
}

function printable(method: string): string {
  return method.replace(/[^\x21-\x7e]/g, '?').slice(0, 64)
}
