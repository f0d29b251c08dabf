import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './scripts/bootstrap/browser.mjs'

const chromium = findChromium()

export default defineConfig({
  testDir: 'tests/e2e',
  projects: [
    { name: 'e2e', testIgnore: ['fork.spec.ts', 'dev.spec.ts'] },
    // They build the app a second time, and compile each page as it is asked for.
    { name: 'fork', testMatch: ['fork.spec.ts', 'dev.spec.ts'] },
  ],
  outputDir: 'test-results',
  globalSetup: './tests/e2e/support/build.ts',
  forbidOnly: true,
  // A failure may take minutes, and what breaks ten tests is not told better by more of them.
  maxFailures: process.env.CI ? 10 : 0,
  // Each has chains, nodes and apps of its own, 1.5 GB: see support/apps.ts. Other stages run beside them.
  workers: 2,
  // No test has another: a slow machine is slow everywhere.
  timeout: 900_000,
  // What is waited for comes in a moment, or much later on a machine that does something else as well.
  expect: { timeout: 180_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : 'list',
  use: {
    ...devices['Desktop Chrome'],
    // What a trace records costs more than the tests do: TRACE=1 asks for it. What turns by itself is at rest.
    trace: process.env.TRACE === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      // Chromium refuses its sandbox to root, which is what CI containers run as.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
})
