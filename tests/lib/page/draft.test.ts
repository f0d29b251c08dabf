import { beforeEach, describe, expect, test, vi } from 'vitest'

const draft = { to: '0x7099', amount: '0.5' }

let stored: Map<string, string>

/** A page that was just loaded: its modules, and what its browser does with it. */
async function load() {
  vi.resetModules()
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('document', page)
  const { offerDraft, takeDraft, withdrawDraft } = await import('#lib/page/draft.ts')
  return {
    take: () => takeDraft('send'),
    offer: () => offerDraft('send', () => draft),
    withdraw: () => withdrawDraft(draft),
    leave: () => page.dispatchEvent(new Event('pagehide')),
    /** The visitor looks at another app, and comes back. */
    lookAway() {
      for (page.visibilityState of ['hidden', 'visible']) page.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('window', {})
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  })
})

describe('the input of an open form', () => {
  test.each([
    ['there', null, draft],
    ['gone if the form was closed', 'close', undefined],
    ['gone if the wallet was asked to send it', 'withdraw', undefined],
  ] as const)('is %s, after a phone has ended the page behind another app', async (_, act, taken) => {
    const { offer, lookAway, withdraw } = await load()
    const acts = { close: offer(), withdraw }
    lookAway()
    if (act) acts[act]()
    expect((await load()).take()).toEqual(taken)
  })

  test('is not kept from when the wallet is asked to send it until it refuses', async () => {
    const { offer, leave, withdraw } = await load()
    offer()
    leave()
    const offerAgain = withdraw()
    // The first request may have been sent, though a second one is refused.
    withdraw()()
    leave()
    expect([...stored.values()]).toEqual(['[]'])
    offerAgain()
    leave()
    expect((await load()).take()).toEqual(draft)
  })

  test('is dropped after ten minutes, as is what another program wrote', async () => {
    vi.useFakeTimers()
    const { offer, leave } = await load()
    offer()
    leave()
    vi.setSystemTime(Date.now() + 10 * 60_000 + 1)
    expect((await load()).take()).toBeUndefined()
    for (const text of ['', '{', 'null', '[]', '[null]', '[{"name":"send"}]', `[{"atMs":${Date.now()}}]`]) {
      stored.set('quorate.drafts', text)
      expect((await load()).take()).toBeUndefined()
    }
  })
})
