import { hexOf } from '../methods/block-ref.ts'
import { methodSpec } from '../methods/table.ts'
import { CallError } from '../runtime/errors.ts'
import { cachedRead } from './cached-read.ts'
import { headResult, type Scope } from './scope.ts'
import type { CallResult, ReadServices } from './services.ts'

/**
 * The transaction that used a nonce of an account, by search over agreed nonces: from the head downwards in growing steps, since nodes
 * have the state of recent blocks. Null where no transaction of the account has used it.
 */
export async function transactionByNonce(
  services: ReadServices,
  [sender, nonceText]: readonly [sender: string, nonce: string],
  scope: Scope,
): Promise<CallResult> {
  const nonce = Number(nonceText)
  const head = await scope.head()
  const top = head.block.number
  const unused = headResult(scope.chain, head, 'null')

  async function isUsedAt(number: number): Promise<boolean> {
    if (number < 0) return false
    const spec = methodSpec('eth_getTransactionCount')
    const { outcome } = await cachedRead(services, spec, [sender, hexOf(number)], scope)
    return Number(JSON.parse(rawOf(outcome))) > nonce
  }

  if (!(await isUsedAt(top))) return unused
  let [before, after] = [top - 1, top]
  for (let step = 2; await isUsedAt(before); step *= 2) {
    after = before
    before = Math.max(top - step, -1)
  }
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (await isUsedAt(middle)) after = middle
    else before = middle
  }
  const params = [hexOf(after), true]
  const found = await cachedRead(services, methodSpec('eth_getBlockByNumber'), params, scope)
  const block = JSON.parse(rawOf(found.outcome)) as { readonly transactions: readonly Sent[] } | null
  const transaction = block?.transactions.find(
    (sent) => sent.from.toLowerCase() === sender && Number(sent.nonce) === nonce,
  )
  // A contract's creation and a delegation (EIP-7702) use a nonce too.
  return transaction === undefined ? unused : { ...found, outcome: { raw: JSON.stringify(transaction) } }
}

interface Sent {
  readonly from: string
  readonly nonce: string
}

function rawOf(outcome: CallResult['outcome']): string {
  if ('raw' in outcome) return outcome.raw
  throw new CallError('refused', outcome.error)
}
