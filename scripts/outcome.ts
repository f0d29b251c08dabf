import { existsSync, readFileSync } from 'node:fs'

/** What a stage of `npm test` came to. */
export type Outcome = {
  readonly passed: number
  readonly failed: number
  readonly remark?: string
  /** Each failed test by name, with what it said. */
  readonly failures?: readonly string[]
}

export type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly name?: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

export type PlaywrightReport = {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
  readonly suites: readonly PlaywrightSuite[]
}

type PlaywrightSuite = {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs?: readonly {
    readonly title: string
    readonly ok: boolean
    readonly tests: readonly { readonly results: readonly PlaywrightResult[] }[]
  }[]
}

type PlaywrightResult = {
  readonly errors?: readonly { readonly message?: string }[]
  readonly attachments?: readonly { readonly name: string; readonly path?: string }[]
}

/** A stage that is one statement: its command succeeds or it does not. */
export function ofCommand(code: number): Outcome {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, remark: `exited with ${code}` }
}

/** What a program of ours counted itself; one that could not run here says so, and counts nothing. */
export function ofReport(report: Outcome | undefined, code: number): Outcome {
  if (report === undefined) return judged({ passed: 0, failed: 0, skipped: 0 }, code)
  if (code === 0 && report.passed === 0 && report.failed === 0 && report.remark) return report
  return judged({ ...report, skipped: 0 }, code)
}

/** Counts tests, and each file that could not be loaded as one failure. */
export function ofVitest(report: VitestReport | undefined, code: number): Outcome {
  if (report === undefined) return judged({ passed: 0, failed: 0, skipped: 0 }, code)
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const failures = report.testResults.flatMap(({ name = '', message = '', status, assertionResults }) =>
    status === 'failed' && assertionResults.length === 0
      ? [`${name}\n${message}`]
      : assertionResults
          .filter((test) => test.status === 'failed')
          .map((test) => `${name}: ${test.fullName}\n${test.failureMessages?.[0] ?? ''}`),
  )
  return judged(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    code,
    failures,
  )
}

/** Counts tests; one that passed only when repeated has failed. */
export function ofPlaywright(report: PlaywrightReport | undefined, code: number): Outcome {
  if (report === undefined) return judged({ passed: 0, failed: 0, skipped: 0 }, code)
  const { expected, unexpected, flaky, skipped } = report.stats
  return judged({ passed: expected, failed: unexpected + flaky, skipped }, code, failedSpecs(report.suites))
}

function failedSpecs(suites: readonly PlaywrightSuite[], path = ''): string[] {
  return suites.flatMap(({ title, suites: inner = [], specs = [] }) => {
    const here = `${path}${title}: `
    const failed = specs.filter(({ ok }) => !ok)
    return [
      ...failed.map(
        (spec) => `${here}${spec.title}\n${accountOf(spec.tests.flatMap(({ results }) => results))}`,
      ),
      ...failedSpecs(inner, here),
    ]
  })
}

/** What went wrong, and what was on the page: a test that ran out of time says no more in its first error. */
function accountOf(results: readonly PlaywrightResult[]): string {
  const { errors = [], attachments = [] } = results.find((result) => result.errors?.length) ?? {}
  const path = attachments.find(({ name }) => name === 'error-context')?.path
  const page = path && existsSync(path) ? (readFileSync(path, 'utf8').split('# Page snapshot')[1] ?? '') : ''
  return [...errors.map(({ message = '' }) => message.slice(0, 1500)), page.slice(0, 1500)].join('\n')
}

type Count = { readonly passed: number; readonly failed: number; readonly skipped: number }

/** What does not run proves nothing: a skipped test, an empty stage and an unexplained exit are failures. */
function judged({ passed, failed, skipped }: Count, code: number, failures: readonly string[] = []): Outcome {
  if (skipped > 0) return { passed, failed: failed + skipped, remark: `${skipped} tests were skipped` }
  if (failed > 0) return { passed, failed, failures }
  if (passed === 0) return { passed, failed: 1, remark: 'no test ran' }
  return code === 0
    ? { passed, failed }
    : { passed, failed: 1, remark: `every test passed, yet it exited with ${code}` }
}
