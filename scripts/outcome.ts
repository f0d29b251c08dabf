/** What a stage of `npm test` came to. */
export type Outcome = { readonly passed: number; readonly failed: number; readonly remark?: string }

export type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[]
}

export type PlaywrightReport = {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>
}

/** A stage that is one statement: its command succeeds or it does not. */
export function ofCommand(code: number): Outcome {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, remark: `exited with ${code}` }
}

/** What a program of ours counted itself; one that could not run here says so, and counts nothing. */
export function ofReport(report: Outcome | undefined, code: number): Outcome {
  if (code === 0 && report?.passed === 0 && report.failed === 0 && report.remark) return report
  return judged(report && { ...report, skipped: 0 }, code)
}

/** Counts tests, and each file that could not be loaded as one failure. */
export function ofVitest(report: VitestReport | undefined, code: number): Outcome {
  if (report === undefined) return judged(undefined, code)
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
  return judged(counts, code)
}

/** Counts tests; one that passed only when repeated has failed. */
export function ofPlaywright(report: PlaywrightReport | undefined, code: number): Outcome {
  if (report === undefined) return judged(undefined, code)
  const { expected, unexpected, flaky, skipped } = report.stats
  return judged({ passed: expected, failed: unexpected + flaky, skipped }, code)
}

type Count = { readonly passed: number; readonly failed: number; readonly skipped: number }

/** What does not run proves nothing: a skipped test, an empty stage and an unexplained exit are failures. */
function judged(count: Count | undefined, code: number): Outcome {
  const { passed, failed, skipped } = count ?? { passed: 0, failed: 0, skipped: 0 }
  if (skipped > 0) return { passed, failed: failed + skipped, remark: `${skipped} tests were skipped` }
  if (failed > 0) return { passed, failed }
  if (passed === 0) return { passed, failed: 1, remark: 'no test ran' }
  return code === 0
    ? { passed, failed }
    : { passed, failed: 1, remark: `every test passed, yet it exited with ${code}` }
}
