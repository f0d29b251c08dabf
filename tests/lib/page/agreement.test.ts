import { describe, expect, test } from 'vitest'
import { weakestOf } from '#lib/page/reading.ts'
import { agreementLine } from '#lib/page/texts/chain.ts'

describe('what a visitor is told of a quorum', () => {
  test('two operators that were asked and agree are no dissent, however many there are', () => {
    expect(agreementLine({ operators: 2, dissenting: 0 })).toBe('Agreed by 2 independent operators')
  })

  test('names dissent where there was any', () => {
    expect(agreementLine({ operators: 3, dissenting: 1 })).toBe(
      'Agreed by 3 independent operators, 1 operator disagreed',
    )
    expect(agreementLine({ operators: 3, dissenting: 2 })).toMatch(/, 2 operators disagreed$/)
  })

  test('does not call the word of one operator an agreement', () => {
    expect(agreementLine({ operators: 1, dissenting: 0 })).toBe('Answered by one operator')
  })

  test('several figures have the weakest one’s operators, and the dissent of any', () => {
    const quorums = [
      { operators: 3, dissenting: 0 },
      { operators: 2, dissenting: 1 },
    ]
    expect(weakestOf(quorums)).toEqual({ operators: 2, dissenting: 1 })
    expect(weakestOf([...quorums, null])).toBeNull()
    expect(weakestOf([])).toBeNull()
  })
})
