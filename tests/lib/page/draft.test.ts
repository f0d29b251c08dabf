import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const draft = { to: '0x7099', amount: '0.5' }

class MemoryStorage {
  readonly items = new Map<string, string>()
  getItem = (key: string) => this.items.get(key) ?? null
  setItem = (key: string, text: string) => void this.items.set(key, text)
  removeItem = (key: string) => void this.items.delete(key)
}

let storage: MemoryStorage
const reload = vi.fn()

/** The modules as a page that was just loaded has them. */
async function load() {
  vi.resetModules()
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
  return { ...(await import('#lib/page/draft.ts')), ...(await import('#lib/page/version.ts')) }
}

beforeEach(() => {
  storage = new MemoryStorage()
  reload.mockClear()
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('location', { reload })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the input of an open form', () => {
  test('is there after a reload for a new version, once', async () => {
    const old = await load()
    old.offerDraft('send', () => draft)
    old.reloadForNewVersion()
    expect(reload).toHaveBeenCalledOnce()
    const fresh = await load()
    expect(fresh.findDraft('send')).toEqual(draft)
    expect(fresh.findDraft('token')).toBeUndefined()
    expect(fresh.takeDraft('send')).toEqual(draft)
    expect(fresh.findDraft('send')).toBeUndefined()
    expect(fresh.takeDraft('send')).toBeUndefined()
    expect((await load()).takeDraft('send')).toBeUndefined()
    expect(storage.items.size).toBe(0)
  })

  test('is not kept where the form was closed', async () => {
    const old = await load()
    old.offerDraft('send', () => draft)()
    old.reloadForNewVersion()
    expect(storage.items.size).toBe(0)
    expect((await load()).findDraft('send')).toBeUndefined()
  })

  test('is dropped after ten minutes, as is what another program wrote', async () => {
    vi.useFakeTimers()
    const old = await load()
    old.offerDraft('send', () => draft)
    old.reloadForNewVersion()
    vi.setSystemTime(Date.now() + 10 * 60_000 + 1)
    expect((await load()).takeDraft('send')).toBeUndefined()
    for (const text of ['', '{', 'null', '[]', '{"atMs":1,"draft":1}', '{"draft":1}']) {
      storage.setItem('quorate.draft.send', text)
      expect((await load()).takeDraft('send')).toBeUndefined()
    }
  })

  test('without storage the page is loaded again all the same', async () => {
    vi.stubGlobal('sessionStorage', undefined)
    const old = await load()
    old.offerDraft('send', () => draft)
    old.reloadForNewVersion()
    expect(reload).toHaveBeenCalledOnce()
    expect((await load()).takeDraft('send')).toBeUndefined()
  })
})
