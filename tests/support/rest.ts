import { afterEach } from 'vitest'
import { expectRest } from './world.ts'

// A setup file runs for each test file. A hook in world.ts would only run for the first file when files share modules.
afterEach(expectRest)
