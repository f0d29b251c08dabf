import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './scripts/bootstrap/browser.mjs'

/** Not the demo's own port, so that a demo that is running is neither tested nor in the way. */
const port = process.env.PORT ?? '3210'
const chromium = findChromium()

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  forbidOnly: true,
  // One browser at a time: two cores also carry the chains, their nodes and the app.
  workers: 1,
  timeout: 60_000,
  // What is waited for comes in a moment, or much later on a machine that does something else as well.
  expect: { timeout: 15_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : 'list',
  use: {
    ...devices['Desktop Chrome'],
    baseURL: process.env.BASE_URL ?? `http://localhost:${port}`,
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
  // BASE_URL names an app that runs already; else the demo is the world to test in, built if it must be.
  ...(!process.env.BASE_URL && {
    webServer: {
      command: 'node demo/main.ts',
      env: { PORT: port },
      url: `http://localhost:${port}/api/rpc/ready`,
      timeout: 300_000,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
      stdout: 'pipe',
    },
  }),
})
