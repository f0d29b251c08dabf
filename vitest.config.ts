import { configDefaults, defineConfig } from 'vitest/config'

/** Suites that start processes: local chains, nodes with a character, a host as built for production. */
const live = ['edge', 'chaos', 'chains', 'demo', 'hosts', 'clients'].map(
  (room) => `tests/${room}/**/*.test.ts`,
)

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, 'tests/e2e/**'],
    passWithNoTests: false,
    allowOnly: false,
    // What is waited for comes in a moment, or later on a machine that does something else as well.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'tests/e2e/**', ...live],
          // A property with its hundreds of cases takes seconds on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'live',
          environment: 'node',
          include: live,
          // Each file starts processes of its own and mostly waits for them: two at a time end a minute sooner than one.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
