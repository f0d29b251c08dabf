import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Suites that start processes: local chains, nodes with a character, a host as built for production. */
const live = ['engine/real-clients', 'engine/chaos', 'engine/clients', 'edge', 'chains', 'demo'].map(
  (room) => `tests/${room}/**/*.test.ts`,
)
const siege = 'tests/edge/siege.test.ts'

/** What takes longest begins first. On a fresh clone files go by their size, and these would end alone. */
const longest = [
  'engine/real-clients/outcomes',
  'edge/life',
  'engine/chaos/pairwise',
  'engine/clients/viem-live',
  'engine/clients/limits',
  'edge/operator',
  'demo/launcher',
  'edge/rate',
  'engine/sim/exhaustive',
].map((name) => `tests/${name}.test.ts`)
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ moduleId }: TestSpecification) => !longest.some((name) => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(isShort(one)) - Number(isShort(other)))
  }
}

/** What puts something in the place of a global before it loads its modules, or measures the heap: each needs a process for itself. */
const alone = [
  'tests/lib/wallet/listed.test.ts',
  'tests/lib/wallet/broken-wallets.test.ts',
  'tests/engine/garbage.test.ts',
]

// Far beyond what any machine takes: what is promised in milliseconds is proven by scenarios.
const timeout = 900_000

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, 'tests/e2e/**'],
    passWithNoTests: false,
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: timeout,
    hookTimeout: timeout,
    // What is waited for comes in a moment, or much later on a machine that does something else as well.
    expect: { poll: { timeout: 180_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'tests/e2e/**', 'tests/redis/**', ...alone, ...live],
          // Loading the engine, zod and viem anew for each of ninety files takes longer than their tests.
          isolate: false,
          // Vitest would leave one core free, which is half of a machine with two.
          maxWorkers: '100%',
          setupFiles: ['tests/support/rest.ts'],
        },
      },
      { extends: true, test: { name: 'alone', environment: 'node', include: alone } },
      {
        extends: true,
        test: {
          name: 'live',
          environment: 'node',
          include: live,
          exclude: [...configDefaults.exclude, siege],
          // Each file starts processes of its own and waits for them half of the time.
          maxWorkers: 3,
          // viem and ethers take seconds to load.
          isolate: false,
        },
      },
      // Its attackers take all that a machine has: a stage of its own.
      {
        extends: true,
        test: {
          name: 'live-siege',
          environment: 'node',
          include: [siege],
        },
      },
      // Needs a `redis-server`, which npm does not bring: `npm test -- redis`.
      {
        extends: true,
        test: {
          name: 'live-redis',
          environment: 'node',
          include: ['tests/redis/**/*.test.ts'],
        },
      },
    ],
  },
})
