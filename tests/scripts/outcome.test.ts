import { describe, expect, test } from 'vitest'
import { ofCommand, ofPlaywright, ofReport, ofVitest } from '../../scripts/outcome.ts'

const vitest = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
const playwright = (stats: object) => ({
  stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
})

describe('the summary of npm test', () => {
  test('counts what passed and what failed', () => {
    expect(ofVitest({ ...vitest, numPassedTests: 3 }, 0)).toEqual({ passed: 3, failed: 0 })
    expect(ofVitest({ ...vitest, numPassedTests: 3, numFailedTests: 2 }, 1)).toMatchObject({
      passed: 3,
      failed: 2,
    })
    expect(ofPlaywright(playwright({ expected: 4, unexpected: 1 }), 1)).toMatchObject({
      passed: 4,
      failed: 1,
    })
    expect(ofCommand(0)).toEqual({ passed: 1, failed: 0 })
  })

  test('a stage without tests has failed', () => {
    expect(ofVitest(vitest, 0)).toMatchObject({ passed: 0, failed: 1 })
    expect(ofPlaywright(playwright({}), 0)).toMatchObject({ passed: 0, failed: 1 })
  })

  test('a stage that cannot run on a machine has a reason, and is neither passed nor failed', () => {
    const remark = 'not run: no Docker engine runs'
    expect(ofReport({ passed: 0, failed: 0, remark }, 0)).toEqual({ passed: 0, failed: 0, remark })
    expect(ofReport({ passed: 0, failed: 0 }, 0)).toMatchObject({ failed: 1 })
    expect(ofReport({ passed: 0, failed: 0, remark }, 1)).toMatchObject({ failed: 1 })
    expect(ofReport({ passed: 15, failed: 0 }, 0)).toEqual({ passed: 15, failed: 0 })
    expect(ofReport({ passed: 14, failed: 1 }, 1)).toMatchObject({ passed: 14, failed: 1 })
  })

  test('a stage without a report has failed', () => {
    expect(ofReport(undefined, 0)).toMatchObject({ failed: 1 })
    expect(ofVitest(undefined, 0)).toMatchObject({ failed: 1 })
    expect(ofPlaywright(undefined, 0)).toMatchObject({ failed: 1 })
  })

  test('a crash without a failed test is a failure', () => {
    expect(ofVitest({ ...vitest, numPassedTests: 3 }, 1)).toMatchObject({ passed: 3, failed: 1 })
    expect(ofPlaywright(playwright({ expected: 3 }), 1)).toMatchObject({ passed: 3, failed: 1 })
    expect(ofCommand(2)).toMatchObject({ passed: 0, failed: 1 })
  })

  test('a file that cannot be loaded is a failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }]
    expect(ofVitest({ ...vitest, numPassedTests: 3, testResults }, 1)).toMatchObject({ passed: 3, failed: 1 })
  })

  test('skipped, todo and flaky tests are failures', () => {
    expect(ofVitest({ ...vitest, numPassedTests: 3, numPendingTests: 2 }, 0)).toMatchObject({ failed: 2 })
    expect(ofVitest({ ...vitest, numPassedTests: 3, numTodoTests: 1 }, 0)).toMatchObject({ failed: 1 })
    expect(ofPlaywright(playwright({ expected: 3, skipped: 1 }), 0)).toMatchObject({ failed: 1 })
    expect(ofPlaywright(playwright({ expected: 3, flaky: 1 }), 0)).toMatchObject({ passed: 3, failed: 1 })
  })
})
