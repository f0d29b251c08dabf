import { setTimeout as pause } from 'node:timers/promises'
import type { Behaviour, DemoCall, DemoReply } from './demo-call.ts'
import { speak } from './demo-call.ts'

/** One canned reply. `hang` never answers, `delayMs` delays the answer. */
export type Canned = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly delayMs?: number
  readonly hang?: boolean
}

/** Replies given by a test, without a chain: one function for all calls, or a reply per method. */
export type Script =
  | ((call: DemoCall) => Canned | Promise<Canned>)
  | Readonly<Record<string, Canned | ((call: DemoCall) => Canned | Promise<Canned>)>>

export type Scripted = { readonly kind: 'scripted'; readonly answer: Script }

/** Replies from a script. Other methods are unknown to this node. */
export function play({ answer }: Scripted): Behaviour {
  const cannedFor = (call: DemoCall): Canned | Promise<Canned> => {
    if (typeof answer === 'function') return answer(call)
    const canned = answer[call.method]
    if (typeof canned === 'function') return canned(call)
    return (
      canned ?? {
        error: { code: -32601, message: `the method ${call.method} does not exist/is not available` },
      }
    )
  }
  return (incoming) =>
    speak(incoming, async (call): Promise<DemoReply> => {
      const { result, error, delayMs = 0, hang = false } = await cannedFor(call)
      if (hang) return new Promise(() => {})
      if (delayMs > 0) await pause(delayMs, undefined, { ref: false })
      return error === undefined ? { result } : { error }
    })
}
