import { describe, expect, test } from 'vitest'
import { weakestOf } from '#lib/page/reading.ts'
import { agreementLine } from '#lib/page/texts/chain.ts'

const two = { operators: 2, dissenting: 0, unreached: 0 }

describe('what a visitor is told of a quorum', () => {
  test('two operators that were asked and agree are no dissent, however many there are', () => {
    expect(agreementLine({ ...two, dissenting: 0 })).toBe('Agreed by 2 independent operators')
  })

  test('names dissent where there was any', () => {
    expect(agreementLine({ ...two, operators: 3, dissenting: 1 })).toBe(
      'Agreed by 3 independent operators, 1 operator disagreed',
    )
    expect(agreementLine({ ...two, operators: 3, dissenting: 2 })).toMatch(/, 2 operators disagreed$/)
  })

  test('is warned where the others could not be reached, beside any dissent', () => {
    expect(agreementLine({ operators: 3, dissenting: 2, unreached: 2 })).toBe(
      '3 of 7 operators confirm this; 2 could not be reached, 2 operators disagreed',
    )
    expect(agreementLine({ operators: 1, dissenting: 0, unreached: 1 })).toBe(
      '1 of 2 operators confirms this; 1 could not be reached',
    )
  })

  test('several figures are thin where one of them is', () => {
    expect(weakestOf([two, { ...two, unreached: 4 }, two])?.unreached).toBe(4)
  })

  test('tells what was proven from what was agreed on; several figures are proven where all are', () => {
    const proven = { ...two, isProven: true } as const
    expect(agreementLine(proven)).toBe('Proven at a block of 2 operators')
    expect([weakestOf([proven, proven])?.isProven, weakestOf([proven, two])?.isProven]).toEqual([
      true,
      undefined,
    ])
  })

  test('does not call the word of one operator an agreement', () => {
    expect(agreementLine({ ...two, operators: 1 })).toBe('Answered by one operator')
  })

  test('several figures have the weakest one’s operators, and the dissent of any', () => {
    const quorums = [
      { ...two, operators: 3 },
      { ...two, dissenting: 1 },
    ]
    expect(weakestOf(quorums)).toEqual({ ...two, dissenting: 1 })
    expect(weakestOf([...quorums, null])).toBeNull()
    expect(weakestOf([])).toBeNull()
  })
})
