import { isHash } from './checks.ts'
import { maybeSent, sendErrorOf } from './wallet-errors.ts'

/** The outcome of a request to send. `unclear`: it may have been sent, so it must not be sent again without a check. */
export type Submitted =
  | { readonly kind: 'sent'; readonly hash: `0x${string}` }
  | { readonly kind: 'refused' | 'unclear'; readonly sentence: string }

const noHash = `Your wallet did not return a transaction hash. ${maybeSent}`

/** Asks the wallet to send. Even an error may come after the transaction was sent. */
export async function submit(send: () => Promise<unknown>): Promise<Submitted> {
  try {
    const answer = await send()
    return isHash(answer) ? { kind: 'sent', hash: answer } : { kind: 'unclear', sentence: noHash }
  } catch (error) {
    const { sentence, maybeSent: isUnclear } = sendErrorOf(error)
    return { kind: isUnclear ? 'unclear' : 'refused', sentence }
  }
}
