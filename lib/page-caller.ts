import { AsyncLocalStorage } from 'node:async_hooks'
import { callerOf } from './caller.ts'
import { runningConfig } from './engine.ts'

/**
 * Who asked for the page that is being made: its reads are that visitor's, and paid by that visitor.
 *
 * The Node host tells it by `makeFor`, beside the request, where nothing from outside can speak for it. Elsewhere it is
 * read off `x-forwarded-for` as far as hops are trusted. Null where callers cannot be told apart, or are not counted.
 */
export function pageCaller(forwardedFor: string | null): string | null {
  const told = callers().getStore()
  if (told !== undefined) return told
  return callerOf(forwardedFor, null, runningConfig().rate?.trustedHops ?? 0)
}

/** Makes something for one caller; `pageCaller` finds that caller in all that comes of it. */
export function makeFor<Made>(caller: string | null, make: () => Made): Made {
  return callers().run(caller, make)
}

// Next bundles this module once more for the pages, and they must find what server.ts has told.
const slot = Symbol.for('quorate.page-caller')
const slots = globalThis as unknown as Record<symbol, AsyncLocalStorage<string | null> | undefined>

function callers(): AsyncLocalStorage<string | null> {
  slots[slot] ??= new AsyncLocalStorage()
  return slots[slot]
}
