'use client'

import type { Part, PartState } from './part.ts'

/** Loads a part and resolves once it is loaded, with any number of attempts. */
export function whenLoaded<Module>(part: Part<Module>): Promise<Module> {
  return settledBy(part, ({ module }) => module !== null) as Promise<Module>
}

/** Loads a part and resolves once it is loaded, or to null once the attempt has failed. */
export function loadOnce<Module>(part: Part<Module>): Promise<Module | null> {
  return settledBy(part, ({ name }) => name === 'loaded' || name === 'failed')
}

function settledBy<Module>(
  part: Part<Module>,
  isSettled: (state: PartState<Module>) => boolean,
): Promise<Module | null> {
  // A part that failed before is loading again from here on.
  part.load()
  return new Promise((resolve) => {
    const look = () => {
      const state = part.state()
      if (!isSettled(state)) return
      stop()
      resolve(state.module)
    }
    const stop = part.subscribe(look)
    look()
  })
}
