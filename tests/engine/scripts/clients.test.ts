import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../../scripts/steps.ts'
import { compileProbe } from '../clients/contracts/compile.ts'
import probe from '../clients/contracts/probe.json' with { type: 'json' }
import { explains } from '../clients/runner/differences.ts'
import { allDrivers, missing } from '../clients/runner/drivers.ts'
import { idleExplanations } from '../clients/runner/page.ts'
import type { Step } from '../clients/runner/steps.ts'

const fails = (step: string, message: string, code: unknown = -32000): Step => ({
  step,
  ok: false,
  error: { type: 'Error', code, message },
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
  test('has no unused explanations', () => {
    expect(idleExplanations(page, [])).toEqual([])
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
