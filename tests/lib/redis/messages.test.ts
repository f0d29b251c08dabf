import { describe, expect, test } from 'vitest'
import { createMessages } from '#lib/redis/messages.ts'
import { createSeal } from '#lib/redis/sealed-values.ts'

const secret = 'a-secret-of-at-least-thirty-two-characters'
const time = { ms: 1_000_000 }
const now = () => time.ms
const messagesOf = (name: string, channel = 'local', key = secret) =>
  createMessages(name, { channel, seal: createSeal(key), now })

describe('a seal', () => {
  const seal = createSeal(secret)
  const closed = seal.close('session', 'a', 'text')

  test('opens where it was closed, and nowhere else', () => {
    expect(seal.open('session', 'a', closed)).toBe('text')
    expect(seal.open('session', 'b', closed)).toBe(undefined)
    expect(seal.open('history', 'a', closed)).toBe(undefined)
  })

  test('is broken by any changed, missing or added character', () => {
    const letters = [...closed]
    const changed = letters.map((letter, at) => letters.with(at, letter === 'A' ? 'B' : 'A').join(''))
    const cut = letters.map((_, at) => closed.slice(0, at))
    const others = [...changed, ...cut, `${closed}x`, 'é'.repeat(60)]
    const opened = others.map((text) => seal.open('session', 'a', text))
    expect(opened.length).toBeGreaterThan(90)
    expect(opened.filter((text) => text !== undefined)).toEqual([])
  })
})

describe('a message', () => {
  const spent = { kind: 'spends', value: 1 }

  test('is heard by the others once, and not by who sent it', () => {
    const [one, two] = [messagesOf('one'), messagesOf('two')]
    const text = one.write({ kind: 'cordons', value: [1] })
    expect(two.read(text)).toEqual({ kind: 'cordons', value: [1] })
    expect(two.read(text)).toBe('replayed')
    expect(one.read(text)).toBe(null)
  })

  test('an older one than the last of its sender is dropped, however it comes', () => {
    const [one, two] = [messagesOf('one'), messagesOf('two')]
    const texts = [1, 2, 3].map((value) => one.write({ kind: 'spends', value }))
    const read = texts.toReversed().map((text) => two.read(text))
    expect(read).toEqual([{ kind: 'spends', value: 3 }, 'replayed', 'replayed'])
  })

  test('kept for later, it is dropped: also by a process that has just started', () => {
    const text = messagesOf('one').write(spent)
    time.ms += 10_001
    expect(messagesOf('two').read(text)).toBe('aged')
    time.ms -= 30_000
    expect(messagesOf('two').read(text), 'from a clock that is ahead').toBe('aged')
    time.ms += 19_999
    expect(messagesOf('two').read(text)).toEqual(spent)
  })

  test('of another channel or secret, cut or changed, it is dropped', () => {
    const two = messagesOf('two')
    expect(two.read(messagesOf('one', 'elsewhere').write(spent))).toBe('forged')
    expect(two.read(messagesOf('one', 'local', 'another secret').write(spent))).toBe('forged')
    const text = messagesOf('one').write(spent)
    for (const other of [text.slice(0, -1), text.slice(1), text.replace('"one"', '"six"'), '', '{}'])
      expect(two.read(other)).toBe('forged')
  })

  test('of more than four million characters, it is not looked at', () => {
    const read = (length: number) =>
      messagesOf('two').read(messagesOf('one').write({ kind: 'spends', value: 'x'.repeat(length) }))
    expect(read(4_000_000)).toMatchObject({ kind: 'spends' })
    expect(read(4_200_000)).toBe('forged')
  })

  test('of a thousand senders the last message is remembered, and of the one before them no more', () => {
    const two = messagesOf('two')
    const text = messagesOf('one').write(spent)
    expect(two.read(text)).toEqual(spent)
    const hearOther = (count: number) => two.read(messagesOf(`other ${count}`).write(spent))
    for (let count = 1; count < 1000; count += 1) hearOther(count)
    expect(two.read(text)).toBe('replayed')
    hearOther(1000)
    expect(two.read(text)).toEqual(spent)
  })
})
