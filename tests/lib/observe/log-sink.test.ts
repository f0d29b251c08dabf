import fs from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { openLogSink } from '#lib/observe/log-sink.ts'

/** A log whose every write ends as `outcomes` say: bytes taken, the code of an error, or never. All is taken when they have run out. */
function setUp(outcomes: (number | string | 'never')[] = [], bytesMax = 100) {
  const resumed: [number, string][] = []
  let written = ''
  const write = (
    _fd: number,
    chunk: string | Buffer,
    onWritten: (error: Error | null, count: number) => void,
  ) => {
    const bytes = Buffer.from(chunk)
    const outcome = outcomes.shift() ?? bytes.length
    if (outcome === 'never') return
    const error = typeof outcome === 'string' ? Object.assign(new Error(outcome), { code: outcome }) : null
    const count = typeof outcome === 'number' ? Math.min(outcome, bytes.length) : 0
    written += bytes.subarray(0, count).toString()
    setImmediate(onWritten, error, count)
  }
  vi.spyOn(fs, 'write').mockImplementation(write as never)
  const sink = openLogSink(1, { onResume: (lines, code) => resumed.push([lines, code]), bytesMax })
  /** Writes the lines, as far as they can be. */
  const log = async (...lines: string[]) => {
    for (const line of lines) sink.write(`${line}\n`)
    expect(await sink.flush(5000)).toBe(true)
  }
  return { sink, log, resumed, written: () => written }
}

test('writes every line once, in order, however little each write takes', async () => {
  const { sink, log, written } = setUp([1, 2, 'EAGAIN', 3])
  await log('one', 'two', 'three')
  expect([sink.lost(), sink.isFailing(), written()]).toEqual([0, false, 'one\ntwo\nthree\n'])
})

describe.each(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EPIPE'])('after %s', (code) => {
  test('lines wait, and the next one tries again', async () => {
    const { sink, log, resumed, written } = setUp([code, code])
    await log('one')
    expect([sink.isFailing(), written()]).toEqual([true, ''])
    await log('two')
    await log('three')
    expect([sink.lost(), sink.isFailing(), written()]).toEqual([0, false, 'one\ntwo\nthree\n'])
    expect(resumed).toEqual([])
  })

  test('beyond the limit they are lost and counted, and the log says how many once it takes lines again', async () => {
    const { sink, log, resumed, written } = setUp([code, code], 8)
    await log('one', 'two', 'six')
    expect([sink.lost(), sink.isFailing(), written()]).toEqual([1, true, ''])
    await log('ten')
    expect([sink.lost(), sink.isFailing(), written()]).toEqual([2, true, ''])
    await log('six')
    expect([sink.lost(), sink.isFailing(), written()]).toEqual([3, false, 'one\ntwo\n'])
    expect(resumed).toEqual([[3, code]])
  })

  test('a line that was cut off is written on', async () => {
    const { log, written } = setUp([2, code])
    await log('one')
    expect(written()).toBe('on')
    await log('two')
    expect(written()).toBe('one\ntwo\n')
  })
})

test('a write that never returns does not hold the end of the process', async () => {
  const { sink } = setUp(['never'])
  for (const line of ['one\n', 'two\n']) sink.write(line)
  expect(await sink.flush(1)).toBe(false)
})
