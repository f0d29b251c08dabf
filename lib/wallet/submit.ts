import { isHash } from './checks.ts'
import { maybeSent, sendErrorOf, type WalletErrorKind } from './wallet-errors.ts'

/** The outcome of a request to send. `unclear`: it may have been sent, so it must not be sent again without a check. */
export type Submitted<Id extends string = `0x${string}`> =
  | { readonly kind: 'sent'; readonly id: Id }
  | { readonly kind: 'refused' | 'unclear'; readonly sentence: string; readonly why?: WalletErrorKind }

const noHash = `Your wallet did not return a transaction hash. ${maybeSent}`

/** Asks the wallet to send. Even an error may come after the transaction was sent. */
export function submit(send: () => Promise<unknown>): Promise<Submitted> {
  return submitFor(send, isHash)
}

/** The characters of an id of several calls, at most (EIP-5792). */
const batchIdMax = 8194

/** The same for several calls, for which the wallet returns an id of its own. */
export function submitBatch(send: () => Promise<unknown>): Promise<Submitted<string>> {
  return submitFor(send, isBatchId)
}

function isBatchId(answer: unknown): answer is string {
  return typeof answer === 'string' && answer !== '' && answer.length <= batchIdMax
}

async function submitFor<Id extends string>(
  send: () => Promise<unknown>,
  isId: (answer: unknown) => answer is Id,
): Promise<Submitted<Id>> {
  try {
    const id = await send()
    return isId(id) ? { kind: 'sent', id } : { kind: 'unclear', sentence: noHash }
  } catch (error) {
    const { kind: why, sentence, maybeSent: isUnclear } = sendErrorOf(error)
    return { kind: isUnclear ? 'unclear' : 'refused', sentence, why }
  }
}
