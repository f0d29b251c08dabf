import { cachedRead } from './cached-read.ts'
import type { Chain } from './chain.ts'
import { CallError } from './errors.ts'
import type { Agreed } from './heads/heads.ts'
import { isPending } from './methods/block-ref.ts'
import type { CallLimits } from './methods/call-object.ts'
import { feeHistoryParams } from './methods/fees.ts'
import { type Here, hexText } from './methods/here.ts'
import type { Rule } from './methods/rule.ts'
import { ruleFor, ruleOf } from './methods/table.ts'
import { pendingNonce } from './nonce.ts'
import type { Answer, Scope, Services } from './services.ts'
import { watch } from './watch.ts'
import type { Call } from './wire/types.ts'
import { write } from './write.ts'

/**
 * One call, from its method to its answer: what do we know of the method, may it come in, at which block, do we know the
 * answer, else what does a quorum say. Throws CallError for everything that has no answer.
 */
export async function answerCall(services: Services, call: Call, scope: Scope): Promise<Answer> {
  const described = ruleOf(call.method)
  if (described.agreement === 'refused') throw noMethod(call.method)
  const params = described.parse(call.params)
  const rule = ruleFor(described, params)
  const cost = services.admission.call(rule, params, scope.caller)
  const answer = await answerBy(services, rule, params, scope)
  if (answer.cache === 'hit' || answer.cache === 'shared') services.admission.refund(cost, scope.caller)
  return isPinnedPending(rule, call.params) ? { ...answer, pending: 'latest' } : answer
}

/** Each kind of agreement has its own way to an answer. */
async function answerBy(
  services: Services,
  rule: Rule,
  params: readonly unknown[],
  scope: Scope,
): Promise<Answer> {
  switch (rule.agreement) {
    case 'here':
      return {
        outcome: { raw: column(rule, 'ownAnswer')(hereOf(scope.chain, params)) },
        evidence: null,
        block: null,
        cache: null,
      }
    case 'head':
      return headAnswer(scope.chain, await scope.head())
    case 'derived': {
      const history = await cachedRead(services, ruleOf('eth_feeHistory'), feeHistoryParams, false, scope)
      if ('error' in history.outcome) return history
      const fee = column(rule, 'fee')(JSON.parse(history.outcome.raw), scope.chain.config.id)
      return { ...history, outcome: { raw: fee } }
    }
    case 'broadcast':
      return write(services, scope, String(params[0]))
    case 'highest':
      return pendingNonce(services, rule, params, scope)
    case 'filter':
      if (services.filters === null) throw noMethod(rule.method)
      return watch(services.filters, { method: rule.method, params }, scope, {
        block: (number, at) =>
          cachedRead(services, ruleOf('eth_getBlockByNumber'), [number, false], false, at),
        logs: (filter, at) =>
          answerCall(services, { id: undefined, method: 'eth_getLogs', params: [filter] }, at),
        paid: () => services.admission.done(filterBlockCost, scope.caller),
      })
    default: {
      const fitted = rule.fit?.(params, limitsOf(scope.chain)) ?? params
      return cachedRead(services, rule, fitted, hasGas(fitted), scope)
    }
  }
}

/** A column that every row with this agreement has. */
function column<Name extends 'ownAnswer' | 'fee'>(rule: Rule, name: Name): NonNullable<Rule[Name]> {
  const value = rule[name]
  if (value === undefined) throw new CallError('breach', { detail: `${rule.method} has no ${name}` })
  return value
}

/** What a block costs that nodes were asked for on behalf of a filter: a header, which all filters then share. */
const filterBlockCost = 1

/** `pending` as the caller wrote it: canonical params have the agreed head in its place. */
function isPinnedPending({ pin }: Rule, params: readonly unknown[]): boolean {
  return typeof pin === 'number' && isPending(params[pin])
}

function headAnswer({ headEvidence }: Chain, head: Agreed): Answer {
  const { block } = head
  return { outcome: { raw: hexText(block.number) }, evidence: headEvidence(head), block, cache: null }
}

function hereOf({ config: { id, nodes } }: Chain, params: readonly unknown[]): Here {
  return { chainId: id, nodes: nodes.length, params }
}

function hasGas([target]: readonly unknown[]): boolean {
  return typeof target === 'object' && target !== null && 'gas' in target
}

function limitsOf({ config: { id, callGas } }: Chain): CallLimits {
  return { chainId: id, callGas }
}

function noMethod(method: string): CallError {
  return new CallError('no-method', {
    message: `the method ${printable(method)} does not exist / is not available`,
  })
}

function printable(method: string): string {
  return method.replace(/[^\x21-\x7e]/g, '?').slice(0, 64)
}
