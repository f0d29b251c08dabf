import { Abort, type Signal } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Reply } from '../wire/types.ts'

/** A call that waits for others to travel with. */
export interface Waiting<Call> {
  readonly call: Call
  readonly signal: Signal
  readonly settle: (reply: Reply) => void
}

interface GatherOptions<Call> {
  /** Calls that may travel together now. */
  readonly callsMax: () => number
  readonly sendAll: (calls: readonly Waiting<Call>[]) => void
}

/** Collects the calls of one turn of the event loop and sends them together, without those that were aborted meanwhile. */
export function createGather<Call>(
  clock: Clock,
  { callsMax, sendAll }: GatherOptions<Call>,
): (call: Call, signal: Signal) => Promise<Reply> {
  const defer = clock.defer ?? queueMicrotask
  let waiting: Waiting<Call>[] = []

  function flush(): void {
    const calls = waiting.filter(({ signal }) => !signal.aborted)
    for (const { signal, settle } of waiting)
      if (signal.aborted) settle({ kind: 'fault', fault: 'cancelled' })
    waiting = []
    if (calls.length > 0) sendAll(calls)
  }

  return (call, signal) =>
    new Promise((settle) => {
      // The calls of one request come here in one turn of the microtask queue, those of others that have arrived by now
      // before the host's next turn: all of them are in this batch.
      if (waiting.length === 0) defer(flush)
      waiting.push({ call, signal, settle })
      if (waiting.length >= callsMax()) flush()
    })
}

/** Fires when every caller of a batch has left. The platform's own join keeps signals alive and is not to be had everywhere. */
export function whenAllLeft(calls: readonly { readonly signal: Signal }[]): Signal {
  const controller = new Abort()
  let staying = calls.length
  for (const { signal } of calls) {
    const leave = () => {
      staying--
      if (staying === 0) controller.abort()
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  return controller
}
