import { describe, expect, test } from 'vitest'
import { LogSink } from '#lib/observe/log-sink.ts'

/** A log whose every write ends as `outcomes` say: bytes taken, the code of an error, or never. All is taken when they have run out. */
function setUp(outcomes: (number | string | 'never')[] = [], charsMax = 100) {
  const clock = { ms: 0 }
  const resumed: [number, string][] = []
  let written = ''
  const sink = new LogSink({
    write(bytes, onWritten) {
      const outcome = outcomes.shift() ?? bytes.length
      if (outcome === 'never') return
      const error = typeof outcome === 'string' ? Object.assign(new Error(outcome), { code: outcome }) : null
      const count = typeof outcome === 'number' ? Math.min(outcome, bytes.length) : 0
      written += bytes.subarray(0, count).toString()
      setImmediate(onWritten, error, count)
    },
    now: () => clock.ms,
    onResume: (lines, code) => resumed.push([lines, code]),
    charsMax,
  })
  return { sink, clock, resumed, written: () => written }
}

test('writes every line once, in order, however little each write takes', async () => {
  const { sink, written } = setUp([1, 2, 0, 'EAGAIN', 3])
  for (const line of ['one\n', 'two\n', 'three\n']) sink.write(line)
  expect(await sink.flush(5000)).toBe(true)
  expect(written()).toBe('one\ntwo\nthree\n')
  expect([sink.lost, sink.failure]).toEqual([0, null])
})

describe.each(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EPIPE'])('after %s', (code) => {
  test('lines are lost and counted, and a second later the log is tried again', async () => {
    const { sink, clock, resumed, written } = setUp([code])
    sink.write('one\n')
    await sink.flush(5000)
    expect([sink.lost, sink.failure]).toEqual([1, code])
    clock.ms = 999
    sink.write('two\n')
    expect([sink.lost, written()]).toEqual([2, ''])
    clock.ms = 1000
    sink.write('three\n')
    await sink.flush(5000)
    expect([sink.lost, sink.failure, written()]).toEqual([2, null, 'three\n'])
    expect(resumed).toEqual([[2, code]])
  })

  test('a line that was cut off does not swallow the next one', async () => {
    const { sink, clock, written } = setUp([4, 2, code])
    for (const line of ['one\n', 'two\n', 'three\n']) sink.write(line)
    // The first line is a batch of its own, the others were queued meanwhile.
    await sink.flush(5000)
    expect([written(), sink.lost]).toEqual(['one\ntw', 2])
    clock.ms = 1000
    sink.write('four\n')
    await sink.flush(5000)
    expect([written(), sink.lost]).toEqual(['one\ntw\nfour\n', 2])
  })
})

test('a reader that is asleep costs lines beyond the limit, and memory up to it', async () => {
  const { sink, resumed, written } = setUp(['EAGAIN'], 8)
  sink.write('one\n')
  for (const line of ['two\n', 'six\n', 'ten\n']) sink.write(line)
  expect(sink.lost).toBe(1)
  await sink.flush(5000)
  expect(written()).toBe('one\ntwo\nsix\n')
  expect(resumed).toEqual([[1, 'EAGAIN']])
})

test('a write that never returns does not hold the end of the process', async () => {
  const { sink } = setUp(['never'])
  sink.write('one\n')
  sink.write('two\n')
  expect(await sink.flush(1)).toBe(false)
  expect(sink.takeRest().toString()).toBe('two\n')
})

test('a process that exits at once still writes what waits', () => {
  const { sink } = setUp(['EAGAIN'])
  sink.write('one\n')
  sink.write('two\n')
  expect(sink.takeRest().toString()).toBe('two\n')
})
