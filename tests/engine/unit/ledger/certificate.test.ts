import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { certify } from '../../../../rpc-proxy/ledger/certificate.ts'
import { difference } from '../../../../rpc-proxy/wire/difference.ts'
import { evidence, group } from '../../../support/evidence.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const texts = (...values: unknown[]) => values.map((value) => JSON.stringify(value))

describe('a certificate', () => {
  test('holds all evidence and a digest of each group', () => {
    const certificate = certify(
      evidence({ agreed: 2, total: 3, groups: [group('"0x1"', 2), group('"0x2"', 1)] }),
    )
    const { params, supporters, result, ...shown } = evidence()
    expect(certificate).toEqual({
      ...shown,
      paramsSha256: sha256('["0x01","0x7"]'),
      resultSha256: sha256('"0x1"'),
      electorate: ['a', 'b', 'c'].map((name) => ({
        name,
        weight: 1,
        required: false,
        supports: name !== 'c',
      })),
      groups: [
        { ...group('"0x1"', 2), sha256: sha256('"0x1"') },
        { ...group('"0x2"', 1), sha256: sha256('"0x2"') },
      ],
      difference: [{ path: '', values: ['0x1', '0x2'] }],
    })
    expect(JSON.parse(JSON.stringify(certificate))).toEqual(certificate)
  })

  test('of a result that was derived from several has the digest of what was derived', () => {
    const derived = certify(evidence({ result: '"0x3"', groups: [group('"0x1"'), group('"0x5"')] }))
    expect(derived.resultSha256).toBe(sha256('"0x3"'))
    expect(certify(evidence({ outcome: 'failed', result: null })).resultSha256).toBeNull()
  })

  test('leaves out operators that may not vote, and names those that must', () => {
    const { electorate } = certify(
      evidence({
        electorate: { operators: ['a', 'b', 'witness'], weights: [2, 1, 0], required: 0b010 },
        supporters: 0b001,
      }),
    )
    expect(electorate).toEqual([
      { name: 'a', weight: 2, required: false, supports: true },
      { name: 'b', weight: 1, required: true, supports: false },
    ])
  })

  test('shows 4,096 characters of an answer and hashes all of it', () => {
    const fits = 'x'.repeat(4096)
    const long = `${fits}y`
    const { groups } = certify(evidence({ groups: [group(fits), group(long)] }))
    expect(groups.map(({ text }) => text)).toEqual([fits, `${fits}…`])
    expect(groups[1]?.sha256).toBe(sha256(long))
  })

  test('does not change while asks continue', () => {
    const living = evidence()
    const certificate = certify(living)
    living.requests[0]!.outcome = 'fault'
    expect(certificate.requests[0]?.outcome).toBe('result')
    expect(certify(living).requests[0]?.outcome).toBe('fault')
  })

  test('control and direction characters are removed from node text', () => {
    const hostile = JSON.stringify('\u001b[31m\u202e\u009b<script>\r\n').replace('\\u001b', '\u001b')
    const { groups, difference: fields } = certify(evidence({ groups: [group(hostile), group('"\u007f"')] }))
    expect(JSON.stringify([groups, fields])).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})

describe('the difference of groups', () => {
  test('names each field that differs, and null where it is absent', () => {
    const fields = difference(
      texts(
        { status: '0x1', logs: [{ data: '0xaa', topics: ['0x1'] }], gone: null },
        { status: '0x0', logs: [{ data: '0xab', topics: ['0x1', '0x2'] }] },
      ),
    )
    expect(fields).toEqual([
      { path: 'status', values: ['0x1', '0x0'] },
      { path: 'logs[0].data', values: ['0xaa', '0xab'] },
      { path: 'logs[0].topics[1]', values: [null, '0x2'] },
      { path: 'gone', values: ['null', null] },
    ])
  })

  test('compares three groups side by side', () => {
    expect(difference(texts({ a: 1 }, { a: 2 }, { a: [1] }))).toEqual([
      { path: 'a', values: ['1', '2', '[1]'] },
    ])
    expect(difference(texts({ a: 1, b: 1 }, { a: 1, b: 1 }, { a: 1, b: true }))).toEqual([
      { path: 'b', values: ['1', '1', 'true'] },
    ])
  })

  test.each([
    ['text that is no JSON', ['"0x1"', 'revert 0x08c379a0'], '', ['0x1', 'revert 0x08c379a0']],
    ['a key that is no identifier, quoted', ['{"a b":1}', '{"a b":2}'], '["a b"]', ['1', '2']],
    ['a member of prototypes', ['{"__proto__":1}', '{}'], '__proto__', ['1', null]],
    ['another one', ['{"toString":1}', '{}'], 'toString', ['1', null]],
  ])('reads %s', (_, groups, path, values) => {
    expect(difference(groups)).toEqual([{ path, values }])
  })

  test('stops at 50 fields and 200 characters of a value', () => {
    const many = (value: string, length: number) => texts(Array.from({ length }, () => value))[0]!
    expect(difference([many('a', 50), many('b', 50)])).toHaveLength(50)
    expect(difference([many('a', 51), many('b', 51)])).toHaveLength(50)
    expect(difference(texts('a'.repeat(200), 'b'.repeat(201)))[0]?.values).toEqual([
      'a'.repeat(200),
      `${'b'.repeat(200)}…`,
    ])
  })

  test('is skipped for texts over a megabyte', () => {
    const half = 524_288
    const text = (length: number, letter: string) => `"${letter.repeat(length - 2)}"`
    expect(difference([text(half, 'a'), text(half, 'b')])).toHaveLength(1)
    expect(difference([text(half, 'a'), text(half + 1, 'b')])).toEqual([])
  })

  test('is empty for equal values, and never for values that differ', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (one, other) => {
        expect(difference(texts(one, one))).toEqual([])
        const same = JSON.stringify(one) === JSON.stringify(other)
        const fields = difference(texts({ value: one }, { value: other, extra: 1 }))
        expect(fields.at(-1)).toEqual({ path: 'extra', values: [null, '1'] })
        if (same) expect(fields).toHaveLength(1)
      }),
    )
  })
})
