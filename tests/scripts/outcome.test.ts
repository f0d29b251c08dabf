import { describe, expect, test } from 'vitest'
import { ofCommand, ofPlaywright, ofReport, ofVitest } from '../../scripts/outcome.ts'

const vitest = (counts: object) => ({
  ...{ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] },
  ...counts,
})
const playwright = (stats: object) => ({
  stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
})
const unloaded = [{ status: 'failed', assertionResults: [] }]
const remark = 'not run: no Docker engine runs'

describe('the summary of npm test', () => {
  test.each([
    ['what passed', ofVitest(vitest({ numPassedTests: 3 }), 0), { passed: 3, failed: 0 }],
    ['what a report of ours counted', ofReport({ passed: 15, failed: 0 }, 0), { passed: 15, failed: 0 }],
    ['a command', ofCommand(0), { passed: 1, failed: 0 }],
    // Neither passed nor failed.
    ['what cannot run here', ofReport({ passed: 0, failed: 0, remark }, 0), { passed: 0, failed: 0, remark }],
  ])('counts %s', (_, outcome, counts) => {
    expect(outcome).toEqual(counts)
  })

  test.each([
    ['a failed test', ofVitest(vitest({ numPassedTests: 3, numFailedTests: 2 }), 1), 3, 2],
    ['one of a browser', ofPlaywright(playwright({ expected: 4, unexpected: 1 }), 1), 4, 1],
    ['one of a program of ours', ofReport({ passed: 14, failed: 1 }, 1), 14, 1],
    ['no test', ofVitest(vitest({}), 0), 0, 1],
    ['no test of a browser', ofPlaywright(playwright({}), 0), 0, 1],
    ['no test and no reason', ofReport({ passed: 0, failed: 0 }, 0), 0, 1],
    ['a reason beside an error', ofReport({ passed: 0, failed: 0, remark }, 1), 0, 1],
    ['no report', ofReport(undefined, 0), 0, 1],
    ['no report of Vitest', ofVitest(undefined, 0), 0, 1],
    ['no report of Playwright', ofPlaywright(undefined, 0), 0, 1],
    ['a crash without a failed test', ofVitest(vitest({ numPassedTests: 3 }), 1), 3, 1],
    ['a crash of a browser', ofPlaywright(playwright({ expected: 3 }), 1), 3, 1],
    ['a command that fails', ofCommand(2), 0, 1],
    ['a file that cannot be loaded', ofVitest(vitest({ numPassedTests: 3, testResults: unloaded }), 1), 3, 1],
    ['skipped tests', ofVitest(vitest({ numPassedTests: 3, numPendingTests: 2 }), 0), 3, 2],
    ['a test to do', ofVitest(vitest({ numPassedTests: 3, numTodoTests: 1 }), 0), 3, 1],
    ['a skipped test of a browser', ofPlaywright(playwright({ expected: 3, skipped: 1 }), 0), 3, 1],
    ['a flaky test', ofPlaywright(playwright({ expected: 3, flaky: 1 }), 0), 3, 1],
  ])('counts %s as a failure', (_, outcome, passed, failed) => {
    expect(outcome).toMatchObject({ passed, failed })
  })
})
