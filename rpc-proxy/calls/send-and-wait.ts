import { hexOf } from '../methods/block-ref.ts'
import { methodSpec, specFor } from '../methods/table.ts'
import { gone } from '../runtime/abort.ts'
import { CallError } from '../runtime/errors.ts'
import { decodeTransaction, type Transaction } from '../writes/signed-transaction.ts'
import { cachedRead } from './cached-read.ts'
import { pendingNonce } from './nonce.ts'
import { readScopeUntil, type Scope } from './scope.ts'
import { sendTransaction } from './send-transaction.ts'
import type { CallResult, WriteServices } from './services.ts'

/** EIP-7966: sends a raw transaction and waits for its agreed receipt. Its error codes are 4, 5 and 6. */
export async function sendAndWait(
  services: WriteServices,
  [raw, waitMs]: readonly [raw: string, waitMs: number],
  scope: Scope,
): Promise<CallResult> {
  const endMs = services.clock.now() + waitMs
  const transaction = decodeTransaction(raw)
  const leave = services.writes.waits.enter(scope.caller)
  try {
    await checkNonce(services, transaction, scope)
    const sent = await sendTransaction(services, scope, raw)
    if (!('error' in sent.outcome)) return await waitForReceipt(services, { transaction, endMs }, scope)
    const { message } = sent.outcome.error
    return {
      ...sent,
      outcome: { error: new CallError('not-sent', { code: 5, message, data: transaction.hash }).error },
    }
  } finally {
    leave()
  }
}

/** Throws where nonces before this one are missing: nodes would queue the transaction without a word. */
async function checkNonce(
  services: WriteServices,
  { chainId, sender, nonce }: Transaction,
  scope: Scope,
): Promise<void> {
  const { chain } = scope
  if (chainId !== chain.config.id) return
  const nowMs = services.clock.now()
  // The transaction must still be sent.
  const endMs = nowMs + Math.min(2 * chain.stallMs, (scope.endMs - nowMs) / 2)
  const params = [sender, 'pending']
  const spec = specFor(methodSpec('eth_getTransactionCount'), params)
  const result = await pendingNonce(services, spec, params, readScopeUntil(endMs, scope)).catch(
    (thrown: unknown) => {
      // Without an agreed nonce the nodes decide.
      if (thrown instanceof CallError) return null
      throw thrown
    },
  )
  if (result === null || 'error' in result.outcome) return
  const expected = Number(JSON.parse(result.outcome.raw))
  if (nonce > expected)
    throw new CallError('not-sent', {
      code: 6,
      message: `nonce gap: expected nonce ${expected}, got ${nonce}`,
      data: hexOf(expected),
    })
}

async function waitForReceipt(
  services: WriteServices,
  { transaction: { hash }, endMs }: { readonly transaction: Transaction; readonly endMs: number },
  scope: Scope,
): Promise<CallResult> {
  const { clock, writes } = services
  for (;;) {
    const receipt = await readReceipt(services, hash, scope)
    if (receipt !== null) return receipt
    const leftMs = endMs - clock.now()
    if (leftMs <= 0 || writes.waits.ended.aborted) throw new CallError('not-included', { data: hash })
    await nextHead(services, leftMs, scope)
    if (scope.signal().aborted) throw gone
  }
}

/** Null where no quorum has it yet. */
async function readReceipt(services: WriteServices, hash: string, scope: Scope): Promise<CallResult | null> {
  // Each read has its own deadline: that of the request may have passed.
  const endMs = services.clock.now() + scope.chain.config.deadlineMs
  try {
    const now = readScopeUntil(endMs, scope)
    const result = await cachedRead(services, methodSpec('eth_getTransactionReceipt'), [hash], now)
    return 'raw' in result.outcome && result.outcome.raw === 'null' ? null : result
  } catch (thrown) {
    if (thrown instanceof CallError) return null
    throw thrown
  }
}

/** Resolves at the next agreed head, when one should be looked for, or when nobody waits any more. */
function nextHead({ clock, writes }: WriteServices, leftMs: number, { chain }: Scope): Promise<void> {
  const { heads, config, onHead } = chain
  return new Promise((resolve) => {
    const end = () => {
      cancelHead()
      cancelTimer()
      writes.waits.ended.removeEventListener('abort', end)
      resolve()
    }
    const cancelHead = onHead(end)
    const cancelTimer = clock.after(Math.min(leftMs, config.headMaxAgeMs), () => {
      void heads.poll().catch(() => {})
      end()
    })
    writes.waits.ended.addEventListener('abort', end)
  })
}
