import { beforeEach, describe, expect, test, vi } from 'vitest'

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
  vi.stubGlobal('document', Object.assign(page, { visibilityState: 'visible' }))
  leave = () => page.dispatchEvent(new Event('pagehide'))
  turn = (visibilityState) => {
    Object.assign(page, { visibilityState })
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return import('#lib/page/draft.ts')
}
let leave = () => false
let turn = (_: DocumentVisibilityState) => {}

beforeEach(() => {
  storage = new MemoryStorage()
  vi.stubGlobal('window', {})
  vi.stubGlobal('sessionStorage', storage)
})

describe('the input of an open form', () => {
  test.each([true, false])(
    'is there after a phone has ended the page behind another app: open, %s',
    async (isOpen) => {
      const old = await load()
      const close = old.offerDraft('send', () => draft)
      turn('hidden')
      turn('visible')
      if (!isOpen) close()
      expect((await load()).takeDraft('send')).toEqual(isOpen ? draft : undefined)
    },
  )

  test('is not there after the page has ended without a word while the wallet was asked to send it', async () => {
    const old = await load()
    old.offerDraft('send', () => draft)
    turn('hidden')
    turn('visible')
    old.withdrawDraft(draft)
    expect((await load()).takeDraft('send')).toBeUndefined()
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
