'use client'

import { useSyncExternalStore } from 'react'
import { checkVersion } from '#lib/page/version.ts'

export type PartState<Module> =
  | { readonly name: 'idle' | 'loading' | 'failed'; readonly module: null }
  | { readonly name: 'loaded'; readonly module: Module }

/** A part of the page whose code is loaded on demand. */
export interface Part<Module> {
  /** Loads the code unless it is loaded or loading. Retries after a failure. */
  readonly load: () => void
  readonly state: () => PartState<Module>
  readonly subscribe: (changed: () => void) => () => void
}

const idle = { name: 'idle', module: null } as const
const loading = { name: 'loading', module: null } as const
const failed = { name: 'failed', module: null } as const

/** After a failure the code is requested again by `load`, and automatically once the browser is back online. */
export function createPart<Module>(request: () => Promise<Module>): Part<Module> {
  let state: PartState<Module> = idle
  const listeners = new Set<() => void>()
  function become(next: PartState<Module>): void {
    state = next
    for (const changed of [...listeners]) changed()
  }
  function load(): void {
    if (state.name === 'loading' || state.name === 'loaded') return
    become(loading)
    request().then(
      (module) => become({ name: 'loaded', module }),
      // Where the server has a newer build, this one's code may be gone, and the visitor must not be told to try again.
      async () => {
        const isOld = await checkVersion()
        become(failed)
        if (!isOld) addEventListener('online', load, { once: true })
      },
    )
  }
  function subscribe(changed: () => void): () => void {
    listeners.add(changed)
    return () => void listeners.delete(changed)
  }
  return { load, state: () => state, subscribe }
}

/** Subscribes to the state of a part. */
export function usePart<Module>(part: Part<Module>): PartState<Module> {
  return useSyncExternalStore(part.subscribe, part.state, () => idle)
}
