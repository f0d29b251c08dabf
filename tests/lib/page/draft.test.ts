import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const draft = { to: '0x7099', amount: '0.5' }

class MemoryStorage {
  readonly items = new Map<string, string>()
  getItem = (key: string) => this.items.get(key) ?? null
  setItem = (key: string, text: string) => void this.items.set(key, text)
}

let storage: MemoryStorage

/** The modules as a page that was just loaded has them. */
async function load() {
  vi.resetModules()
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  leave = () => page.dispatchEvent(new Event('pagehide'))
  return import('#lib/page/draft.ts')
}
let leave = () => false

beforeEach(() => {
  storage = new MemoryStorage()
  vi.stubGlobal('window', {})
  vi.stubGlobal('sessionStorage', storage)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the input of an open form', () => {
  test('is there after a reload, once', async () => {
    const old = await load()
    old.offerDraft('send', () => draft)
    leave()
    const fresh = await load()
    expect(fresh.hasDraft('send')).toBe(true)
    expect(fresh.takeDraft('send')).toEqual(draft)
    expect(fresh.hasDraft('send')).toBe(false)
    expect(fresh.takeDraft('send')).toBeUndefined()
    expect((await load()).takeDraft('send')).toBeUndefined()
    expect([...storage.items.values()]).toEqual(['[]'])
  })

  test('is not kept where the form was closed', async () => {
    const old = await load()
    old.offerDraft('send', () => draft)()
    leave()
    expect(storage.items.size).toBe(0)
    expect((await load()).hasDraft('send')).toBe(false)
  })

  test('is not kept from when the wallet is asked to send it until it refuses', async () => {
    const old = await load()
    old.offerDraft('send', () => draft)
    leave()
    const offerAgain = old.withdrawDraft(draft)
    // The first request may have been sent, though a second one is refused.
    old.withdrawDraft(draft)()
    leave()
    expect([...storage.items.values()]).toEqual(['[]'])
    offerAgain()
    leave()
    expect((await load()).takeDraft('send')).toEqual(draft)
  })

  test('is dropped after ten minutes, as is what another program wrote', async () => {
    vi.useFakeTimers()
    const old = await load()
    old.offerDraft('send', () => draft)
    leave()
    vi.setSystemTime(Date.now() + 10 * 60_000 + 1)
    expect((await load()).takeDraft('send')).toBeUndefined()
    for (const text of ['', '{', 'null', '[]', '[null]', '[{"name":"send"}]', `[{"atMs":${Date.now()}}]`]) {
      storage.setItem('quorate.drafts', text)
      expect((await load()).takeDraft('send')).toBeUndefined()
    }
  })
})
