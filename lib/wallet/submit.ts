import { maybeSent, troubleOfSend } from './errors.ts'

/** How a request to send has ended. After `unclear` nobody may say that nothing was sent, nor send it again without a new look. */
export type Submitted =
  | { readonly kind: 'sent'; readonly hash: `0x${string}` }
  | { readonly kind: 'refused' | 'unclear'; readonly sentence: string }

const noHash = `Your wallet did not return a transaction hash. ${maybeSent}`

/** Asks the wallet to send, and judges what it says: it may have sent whatever it answers. */
export async function submit(send: () => Promise<unknown>): Promise<Submitted> {
  try {
    const answer = await send()
    return isHash(answer) ? { kind: 'sent', hash: answer } : { kind: 'unclear', sentence: noHash }
  } catch (error) {
    const { sentence, maybeSent: isUnclear } = troubleOfSend(error)
    return { kind: isUnclear ? 'unclear' : 'refused', sentence }
  }
}

function isHash(answer: unknown): answer is `0x${string}` {
  return typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer)
}
