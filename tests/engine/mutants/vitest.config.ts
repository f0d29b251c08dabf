import { defineConfig } from 'vitest/config'

/** The quick suites of the engine: a table's own tests, and the promises under the virtual clock. One file is broken. */
export default defineConfig({
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (_, id) => (id === process.env.MUTANT_FILE ? process.env.MUTANT_CODE : null),
    },
  ],
  test: {
    include: ['tests/engine/{unit/{quorum,heads,round},scenarios}/**/*.test.ts'],
    isolate: false,
    // Its keys know nothing of what is broken.
    fsModuleCache: false,
    bail: 1,
    testTimeout: 300_000,
    setupFiles: ['tests/support/rest.ts'],
  },
})
