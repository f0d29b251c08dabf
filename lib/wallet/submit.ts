import { maybeSent, sendErrorOf, type WalletErrorKind } from './wallet-errors.ts'

/** The outcome of a request to send. `unclear`: it may have been sent, so it must not be sent again without a check. */
export type Submitted<Id extends string> =
  | { readonly kind: 'sent'; readonly id: Id }
  | { readonly kind: 'refused' | 'unclear'; readonly sentence: string; readonly why?: WalletErrorKind }

const noHash = `Your wallet did not return a transaction hash. ${maybeSent}`

/**
 * Asks the wallet to send. It may have been sent although there is an error. `isId`: whether the answer is the id of what was sent.
 *
 * @example await submit(() => sendTransaction(config, transaction), isHash)
 */
export async function submit<Id extends string>(
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

/** The longest id of several calls, in characters (EIP-5792). */
const batchIdMax = 8194

export function isBatchId(answer: unknown): answer is string {
  return typeof answer === 'string' && answer !== '' && answer.length <= batchIdMax
}
