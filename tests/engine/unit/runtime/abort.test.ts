import { expect, test } from 'vitest'
import { Abort, platformSignal } from '../../../../rpc-proxy/runtime/abort.ts'

test('listeners are called once, in order, and not after they were removed', () => {
  const abort = new Abort()
  const called: string[] = []
  const second = () => called.push('second')
  abort.addEventListener('abort', () => called.push('first'))
  abort.addEventListener('abort', second)
  abort.addEventListener('abort', second)
  abort.addEventListener('abort', () => called.push('third'))
  abort.removeEventListener('abort', second)
  abort.removeEventListener('abort', second)
  abort.abort()
  abort.abort()
  expect(called).toEqual(['first', 'third'])
  expect(abort.aborted).toBe(true)
})

test('all that listened when it fired are told, and one that is added afterwards is not', () => {
  const abort = new Abort()
  const called: string[] = []
  const last = () => called.push('last')
  abort.addEventListener('abort', () => abort.removeEventListener('abort', last))
  abort.addEventListener('abort', last)
  abort.abort()
  abort.addEventListener('abort', () => called.push('late'))
  expect(called).toEqual(['last'])
})

test('the platform signal of one fires with it, also where it has fired already', () => {
  const abort = new Abort()
  const before = platformSignal(abort)
  expect(before).toBeInstanceOf(AbortSignal)
  expect(before.aborted).toBe(false)
  abort.abort()
  expect([before.aborted, platformSignal(abort).aborted]).toEqual([true, true])
  const own = new AbortController().signal
  expect(platformSignal(own)).toBe(own)
})
