import { setTimeout as pause } from 'node:timers/promises'
import type { DemoCall, DemoReply } from '../../demo/nodes/demo-call.ts'
import { speak } from '../../demo/nodes/demo-call.ts'
import type { Scripted } from '../../demo/nodes/node.ts'

/** One canned reply. `hang` never answers, `delayMs` delays the answer. */
export type Canned = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly delayMs?: number
  readonly hang?: boolean
}

/** Replies without a chain: one function for all calls, or a reply per method. */
export type Script =
  | ((call: DemoCall) => Canned | Promise<Canned>)
  | Readonly<Record<string, Canned | ((call: DemoCall) => Canned | Promise<Canned>)>>

/** A node that replies from a script. Other methods are unknown to it. */
export function scripted(answer: Script): Scripted {
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
  return {
    kind: 'scripted',
    behave: (incoming) =>
      speak(incoming, async (call): Promise<DemoReply> => {
        const { result, error, delayMs = 0, hang = false } = await cannedFor(call)
        if (hang) return new Promise(() => {})
        if (delayMs > 0) await pause(delayMs, undefined, { ref: false })
        return error === undefined ? { result } : { error }
      }),
  }
}
