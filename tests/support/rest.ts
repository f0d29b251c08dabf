import { afterEach, vi } from 'vitest'
import { expectRest } from './world.ts'

// A setup file runs for each test file. A hook in world.ts would only run for the first file when files share modules.
afterEach(expectRest)

/** What a test put in the place of time, globals, variables and functions ends with it. */
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
