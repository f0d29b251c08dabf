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
  return { sink, resumed, written: () => written }
}

test('writes every line once, in order, however little each write takes', async () => {
  const { sink, written } = setUp([1, 2, 'EAGAIN', 3])
  for (const line of ['one\n', 'two\n', 'three\n']) sink.write(line)
  expect(await sink.flush(5000)).toBe(true)
  expect(written()).toBe('one\ntwo\nthree\n')
  expect([sink.lost(), sink.isFailing()]).toEqual([0, false])
})

describe.each(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EPIPE'])('after %s', (code) => {
  test('lines wait, and the next one tries again', async () => {
    const { sink, resumed, written } = setUp([code, code])
    sink.write('one\n')
    expect(await sink.flush(5000)).toBe(true)
    expect([sink.isFailing(), written()]).toEqual([true, ''])
    sink.write('two\n')
    expect(await sink.flush(5000)).toBe(true)
    sink.write('three\n')
    await sink.flush(5000)
    expect(written()).toBe('one\ntwo\nthree\n')
    expect([sink.lost(), sink.isFailing(), resumed]).toEqual([0, false, []])
  })

  test('beyond the limit they are lost and counted, and the log says how many once it takes lines again', async () => {
    const { sink, resumed, written } = setUp([code, code], 8)
    for (const line of ['one\n', 'two\n', 'six\n']) sink.write(line)
    await sink.flush(5000)
    expect([sink.lost(), sink.isFailing(), written()]).toEqual([1, true, ''])
    sink.write('ten\n')
    await sink.flush(5000)
    expect([sink.lost(), sink.isFailing(), written()]).toEqual([2, true, ''])
    sink.write('six\n')
    await sink.flush(5000)
    expect([sink.lost(), sink.isFailing(), written()]).toEqual([3, false, 'one\ntwo\n'])
    expect(resumed).toEqual([[3, code]])
  })

  test('a line that was cut off is written on', async () => {
    const { sink, written } = setUp([2, code])
    sink.write('one\n')
    await sink.flush(5000)
    expect(written()).toBe('on')
    sink.write('two\n')
    await sink.flush(5000)
    expect(written()).toBe('one\ntwo\n')
  })
})

test('a write that never returns does not hold the end of the process', async () => {
  const { sink } = setUp(['never'])
  sink.write('one\n')
  sink.write('two\n')
  expect(await sink.flush(1)).toBe(false)
})
