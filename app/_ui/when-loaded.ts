'use client'

import type { Part } from './part.ts'

/** Loads a part and resolves once it is loaded, with any number of attempts. */
export function whenLoaded<Module>(part: Part<Module>): Promise<Module> {
  return new Promise((resolve) => {
    const look = () => {
      const { module } = part.state()
      if (!module) return
      stop()
      resolve(module)
    }
    const stop = part.subscribe(look)
    part.load()
    look()
  })
}
