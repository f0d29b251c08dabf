import type { Pinned } from './heads/pin.ts'
import type { Rule } from './methods/rule.ts'
import type { ErrorContext } from './upstreams/errors/rule.ts'

const executing = new Set(['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'eth_simulateV1'])

/** Reads whose work no caller can raise where they name a recent block: an old one may be slow or pruned. */
const fixed = new Set([
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByNumber',
  'eth_getUncleCountByBlockNumber',
])

/** Whether the caller decides how much work the call is, or how large its answer: all but fixed reads at an agreed block. */
function isChosen({ method, pin }: Rule, { params, block }: Pinned): boolean {
  if (!fixed.has(method)) return true
  const isFullBlock = method === 'eth_getBlockByNumber' && params[1] === true
  return isFullBlock || (pin !== 'none' && block?.hash == null)
}

/** What a read lets a node's error mean. */
export function contextOf(rule: Rule, pinned: Pinned, gasGiven: boolean): ErrorContext {
  return {
    executes: executing.has(rule.method),
    sends: false,
    gasGiven,
    ranges: rule.method === 'eth_getLogs',
    chosen: isChosen(rule, pinned),
    atBlock: pinned.block !== null,
  }
}
