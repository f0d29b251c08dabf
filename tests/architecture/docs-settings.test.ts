import { describe, expect, test } from 'vitest'
import { hostLimits } from '../../lib/limits/host-limits.ts'
import { read } from './support/sources.ts'

describe('the limits of docs/security.md', () => {
  const rows = read('docs/security.md').split('\n')
  const cellsOf = (start: string) => rows.find((row) => row.startsWith(`| ${start}`))?.split('|') ?? []
  const amount = (count: number) => (count >= 1 << 20 ? `${count >> 20} MiB` : count.toLocaleString('en'))

  test.each([
    ['open bodies', hostLimits.openBodies.perCallerMax, hostLimits.openBodies.max],
    ['unsent bytes', hostLimits.outgoing.perCallerMax, hostLimits.outgoing.max],
    ['pages not read', hostLimits.openPages.perCallerMax, hostLimits.openPages.max],
    ['pages being rendered', hostLimits.renders.waitingPerCallerMax, hostLimits.renders.max],
    ['connections', hostLimits.connections.perCallerMax, null],
  ])('%s', (start, perCaller, max) => {
    const [, , ofCaller = '', inTotal = ''] = cellsOf(start)
    expect(ofCaller.trim()).toMatch(new RegExp(`^${amount(perCaller)}`))
    expect(inTotal.trim()).toMatch(new RegExp(`^${max === null ? '$' : amount(max)}`))
  })
})
