import { describe, expect, test } from 'vitest'
import { applyEdit, type Edit } from '../mutants/edit.ts'

const source = `
const limit = { atMost: 4, label: 'four' }
class Race {
  #over = false
  end() {
    this.#over = true
    this.cancel()
    if (this.#over && isLate() || limit.atMost >= 4) return stop(1)
    return this.#over ? 'over' : 'open'
  }
}
const isDue = (ms: number) => ms > 5
const rules = [{ id: 'quorum', applies: isDue }, { id: 'tie', applies: isLate }]
`

function edited(place: string, edit: Edit, nth?: number): string {
  return applyEdit(source, { in: place, edit, ...(nth !== undefined && { nth }) })
}

describe('an edit of one node of the syntax tree', () => {
  test.each<[string, string, Edit, string, string]>([
    ['a function returns a value', 'isDue', { kind: 'return', value: 'true' }, 'ms > 5', '(true)'],
    [
      'a statement is dropped',
      'Race.end',
      { kind: 'drop-statement', mentions: 'cancel' },
      'this.cancel()',
      ';',
    ],
    ['an operand is dropped', 'Race.end', { kind: 'drop-operand', mentions: 'isLate' }, ' && isLate()', ''],
    [
      'a condition is replaced',
      'Race.end',
      { kind: 'condition', mentions: 'atMost', value: 'false' },
      'this.#over && isLate() || limit.atMost >= 4',
      'false',
    ],
    [
      'an operator is replaced',
      'Race.end',
      { kind: 'operator', mentions: 'atMost', from: '>=', to: '>' },
      'atMost >= 4',
      'atMost > 4',
    ],
    ['a call is replaced', 'Race.end', { kind: 'call', mentions: 'stop', value: 'null' }, 'stop(1)', 'null'],
    [
      'a property is replaced',
      'limit',
      { kind: 'property', key: 'label', value: '5' },
      "label: 'four'",
      '"label": 5',
    ],
    [
      'a row of a table is found by its id',
      'rules.tie',
      { kind: 'name', from: 'isLate', to: 'isDue' },
      'applies: isLate',
      'applies: isDue',
    ],
    ['a literal is replaced', 'limit', { kind: 'literal', from: 4, to: '400' }, 'atMost: 4', 'atMost: 400'],
  ])('%s', (_, place, edit, from, to) => {
    expect(edited(place, edit)).toBe(source.replace(from, to))
  })

  test('is refused where nothing fits, or where several do and none is chosen', () => {
    expect(() => edited('Race.begin', { kind: 'return', value: '1' })).toThrow('0 places')
    expect(() => edited('Race.end', { kind: 'literal', from: 'over', to: '1' })).not.toThrow()
    expect(() => edited('Race.end', { kind: 'literal', from: 'shut', to: '1' })).toThrow('0 nodes')
    expect(() => edited('Race.end', { kind: 'name', from: '#over', to: 'x' })).toThrow('3 nodes')
    expect(edited('Race.end', { kind: 'name', from: '#over', to: 'x' }, 0)).toContain('this.x = true')
  })

  test('is refused where it brings in a name that the source does not know', () => {
    const to = (value: string) => () => edited('isDue', { kind: 'return', value })
    expect(to('ms > limit.atMost')).not.toThrow()
    expect(to('Math.max(ms, limit.least)')).not.toThrow()
    expect(to('ms > bounds.atMost')).toThrow('brings in bounds')
    expect(to('ms >')).toThrow('does not parse')
  })
})
