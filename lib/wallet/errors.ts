import { type Clue, troubles } from './troubles.ts'

/** What went wrong, as a sentence for the visitor. */
export interface Trouble {
  readonly kind: TroubleKind
  readonly sentence: string
}

export type TroubleKind = (typeof troubles)[number]['kind'] | 'unknown'

const depthMax = 12

/** The first row of `troubles` that matches any error in the chain of causes. */
export function troubleOf(error: unknown): Trouble {
  const clues = cluesOf(error)
  for (const trouble of troubles) {
    if (clues.some(trouble.applies)) return { kind: trouble.kind, sentence: trouble.sentence }
  }
  return { kind: 'unknown', sentence: 'Oops, something went wrong!' }
}

/** For when a transaction may have been sent. */
export const maybeSent = 'It is not known whether it was sent: look at your wallet before trying again.'

/** Errors that can occur after the transaction went out, so the text must not say that nothing was sent. */
const halfway: Partial<Record<TroubleKind, string>> = {
  known: 'The nodes know this transaction already. It is on its way: look at your wallet.',
  quorum: `The nodes failed to meet quorum. ${maybeSent}`,
  timeout: `That took too long. ${maybeSent}`,
  unreachable: `The network cannot be reached. ${maybeSent}`,
  unknown: `Oops, something went wrong! ${maybeSent}`,
}

/** The same for an error while sending, with whether anything may have been sent: trying again could pay twice. */
export function troubleOfSend(error: unknown): Trouble & { readonly maybeSent: boolean } {
  const { kind, sentence } = troubleOf(error)
  const open = halfway[kind]
  return open === undefined
    ? { kind, sentence: `${sentence} Nothing was sent.`, maybeSent: false }
    : { kind, sentence: open, maybeSent: true }
}

function cluesOf(error: unknown): readonly Clue[] {
  const clues: Clue[] = []
  let link: unknown = error
  for (let depth = 0; depth < depthMax && link !== undefined && link !== null; depth++) {
    const { code, name, message, details, cause, data } = link as Record<string, unknown>
    clues.push({
      code: typeof code === 'number' ? code : codeIn(data),
      name: typeof name === 'string' ? name : '',
      text: (typeof link === 'string'
        ? link
        : `${String(message ?? '')} ${String(details ?? '')}`
      ).toLowerCase(),
    })
    link = cause
  }
  return clues
}

// MetaMask mobile wraps the error code one level deeper.
function codeIn(data: unknown): number | undefined {
  const code = (data as { originalError?: { code?: unknown } } | undefined)?.originalError?.code
  return typeof code === 'number' ? code : undefined
}
