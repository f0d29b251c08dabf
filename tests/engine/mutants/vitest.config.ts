import { defineConfig } from 'vitest/config'

/** The quick suites of the engine: a table's own tests, and the promises under the virtual clock. */
export default defineConfig({
  test: {
    include: ['{tests/engine/unit/{quorum,heads,round},tests/engine/scenarios}/**/*.test.ts'],
    isolate: false,
    testTimeout: 300_000,
    setupFiles: ['tests/support/rest.ts'],
  },
})
