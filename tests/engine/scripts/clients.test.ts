import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../../scripts/steps.ts'
import { compileProbe } from '../clients/contracts/compile.ts'
import probe from '../clients/contracts/probe.json' with { type: 'json' }
import { explains } from '../clients/runner/differences.ts'
import { allDrivers, missing } from '../clients/runner/drivers.ts'
import { idleExplanations, withTrials } from '../clients/runner/page.ts'
import { compare, type Step, stepsIn } from '../clients/runner/steps.ts'
import type { Trial } from '../clients/runner/trial.ts'

const url = 'http://127.0.0.1:40123/api/rpc/10'
const steps = (...lines: readonly object[]) =>
  stepsIn(lines.map((line) => JSON.stringify(line)).join('\n'), url)
const says = (step: string, value: unknown): Step => ({ step, ok: true, value })
const fails = (step: string, message: string, code: unknown = -32000): Step => ({
  step,
  ok: false,
  error: { type: 'Error', code, message },
})

describe('the output of a driver', () => {
  test('is normalized: ports and certificate ids are removed', () => {
    const reported = steps(
      fails('balance', `no quorum at ${url}, host 127.0.0.1:40123 {"answer":"vgocbmli-1"}`),
    )
    expect(reported.get('balance')).toEqual(fails('balance', 'no quorum at URL, host HOST {"answer":"ID"}'))
  })

  test('may contain only steps, and no step twice', () => {
    expect(() => stepsIn('ready\n', url)).toThrow()
    expect(() => steps({ step: 'balance', ok: true })).toThrow()
    expect(() => steps({ step: 'balance', ok: false })).toThrow()
    expect(() => steps(says('call', 1), says('call', 1))).toThrow('twice')
  })
})

describe('two runs', () => {
  test('are compared leaf by leaf', () => {
    const chain = steps(says('block', { number: 1, hashes: ['a', 'b'] }), says('call', '0x1'))
    const gateway = steps(says('block', { number: 1, hashes: ['a', 'c'] }), says('call', '0x1'))
    expect(compare(chain, gateway)).toEqual({
      same: ['call'],
      differences: [{ step: 'block', path: 'value.hashes.1', chain: 'b', gateway: 'c' }],
    })
  })

  test('differ when one of them lacks a step', () => {
    const { differences } = compare(steps(says('call', 1)), steps())
    expect(differences).toMatchObject([{ step: 'call', path: '' }])
  })

  test('do not differ by fields that only some node clients write', () => {
    const chain = steps(says('receipt', { status: 1, blockTimestamp: 7 }))
    expect(compare(chain, steps(says('receipt', { status: 1 }))).differences).toEqual([])
  })
})

describe('a difference', () => {
  const inverted = { step: 'logsInverted', path: 'ok', chain: true, gateway: false }

  test('is explained only by the answer that its row expects', () => {
    expect(explains(inverted, fails('logsInverted', 'invalid block range params'))).toBeTypeOf('string')
    expect(explains(inverted, fails('logsInverted', 'failed to meet quorum'))).toBeUndefined()
    expect(explains(inverted, undefined)).toBeUndefined()
  })

  test('is not explained in another part of the answer than that of its row', () => {
    const ratio = { step: 'feeHistory', path: 'value.gasUsedRatio.1', chain: 0.1234567, gateway: 0.123457 }
    expect(explains(ratio, undefined)).toBeTypeOf('string')
    expect(explains({ ...ratio, path: 'value.baseFeePerGas.1' }, undefined)).toBeUndefined()
  })
})

describe('the page', () => {
  const page = readFileSync(join(root, 'tests/engine/clients/results.md'), 'utf8')
  const trial = (name: string): Trial => ({
    name,
    same: 3,
    differing: 1,
    explained: ['blobs'],
    unexplained: [],
    shown: { 'lost quorum': 'one | other', 'rate limit': 'two', overload: 'three' },
    faults: [],
  })

  test('gets a row for each client that ran and keeps the rows of the others', () => {
    const next = withTrials(page, [trial('A client')])
    expect(next).toContain('| A client | 3 | 1 | blobs |')
    expect(next).toContain('| A client | one \\| other | two | three |')
    expect(withTrials(next, [])).toBe(next)
    for (const line of page.split('\n')) expect(next).toContain(line)
  })

  test('is the same after the same run', () => {
    const next = withTrials(page, [trial('A client')])
    expect(withTrials(next, [trial('A client')])).toBe(next)
  })

  test('has no unused explanations', () => {
    expect(idleExplanations(page, [])).toEqual([])
    const empty = page.replaceAll(/^(\|.*\| \d+ \| \d+ \|).*$/gm, '$1 |')
    expect(idleExplanations(empty, []).length).toBeGreaterThan(5)
    expect(idleExplanations(empty, [trial('A client')]).length).toBe(idleExplanations(empty, []).length - 1)
  })

  test('has exactly one row for every driver', () => {
    const rows =
      page.split('<!-- end of counts -->')[0]?.split('|---|---|---|---|\n').at(-1)?.trim().split('\n') ?? []
    const names = rows.map((row) => row.split(' | ')[0]?.slice(2))
    expect(names.toSorted()).toEqual(
      allDrivers()
        .map(({ name }) => name)
        .toSorted(),
    )
  })
})

describe('drivers', () => {
  test('list their commands, and missing ones are reported', () => {
    const [driver] = allDrivers()
    expect(missing({ ...driver!, needs: ['node', 'no-such-command'] })).toEqual(['no-such-command'])
  })

  const locks = allDrivers().flatMap(({ folder }) => {
    const path = join(root, 'tests/engine/clients/drivers', folder, 'package-lock.json')
    return existsSync(path) ? [{ folder, text: readFileSync(path, 'utf8') }] : []
  })

  test.each(locks)(
    'of npm packages lock exact versions, by their bytes and from any registry: $folder',
    ({ text }) => {
      const { '': own, ...packages } = JSON.parse(text).packages as Readonly<
        Record<string, Record<string, object>>
      >
      for (const version of Object.values(own?.dependencies ?? {})) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
      expect(text).not.toContain('"resolved"')
      for (const { integrity, optional } of Object.values(packages))
        expect(optional ?? integrity, 'a package without its hash').toBeTruthy()
    },
  )

  test('use a contract that matches its source', () => {
    expect(probe).toEqual(compileProbe())
  })
})
