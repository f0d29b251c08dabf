import { afterEach } from 'vitest'
import { expectRest } from './world.ts'

// A setup file runs for each test file; a hook in world.ts would be the first file's alone where files share their modules.
afterEach(expectRest)
