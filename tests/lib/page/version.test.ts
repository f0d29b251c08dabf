import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHeader } from '#lib/public-names.ts'

const { stubGlobal } = vi

/** A page of build `one`, in a browser of its own. */
async function open(build: string | null = 'one') {
  vi.resetModules()
  stubGlobal('document', { documentElement: { dataset: build === null ? {} : { build } } })
  return import('#lib/page/version.ts')
}

const headers = (build: string | null) => new Headers(build === null ? {} : { [buildHeader]: build })

beforeEach(() => {
  vi.unstubAllGlobals()
  return () => vi.unstubAllGlobals()
})

describe('a page finds out that the server has a newer build', () => {
  test('from the header of any response, once and for good', async () => {
    const { isOldVersion, noteBuild, subscribeVersion } = await open()
    const changed = vi.fn()
    subscribeVersion(changed)
    noteBuild(headers('one'))
    expect(isOldVersion()).toBe(false)
    noteBuild(headers('two'))
    // Old and new processes answer side by side during a deployment.
    noteBuild(headers('one'))
    noteBuild(headers('three'))
    expect(isOldVersion()).toBe(true)
    expect(changed).toHaveBeenCalledOnce()
  })

  test('not where either does not name its build, as a gateway alone', async () => {
    const named = await open()
    named.noteBuild(headers(null))
    named.noteBuild(headers(''))
    expect(named.isOldVersion()).toBe(false)
    const unnamed = await open(null)
    unnamed.noteBuild(headers('two'))
    expect(unnamed.isOldVersion()).toBe(false)
  })

  test('the header is the one that the server sends', async () => {
    expect((await open()).buildHeader).toBe(buildHeader)
  })
})

describe('code that did not load', () => {
  const failing = () => Promise.reject(new Error('ChunkLoadError'))

  async function part() {
    const { isOldVersion } = await open()
    stubGlobal('addEventListener', () => {})
    const { createPart } = await import('../../../app/_ui/part.ts')
    const { loadOnce } = await import('../../../app/_ui/when-loaded.ts')
    return { isOldVersion, createPart, loadOnce }
  }

  test('of an older build: known before the visitor is told anything', async () => {
    const { isOldVersion, createPart, loadOnce } = await part()
    stubGlobal('fetch', async () => new Response('', { headers: headers('two') }))
    const states: string[] = []
    const made = createPart(failing)
    made.subscribe(() => states.push(`${made.state().name} ${isOldVersion()}`))
    expect(await loadOnce(made)).toBeNull()
    expect(states).toEqual(['loading false', 'failed true'])
  })

  test('of this build, or without a network: trying again works', async () => {
    for (const answer of [
      async () => new Response('', { headers: headers('one') }),
      () => Promise.reject(new TypeError('Failed to fetch')),
    ]) {
      const { isOldVersion, createPart, loadOnce } = await part()
      stubGlobal('fetch', answer)
      let attempt = 0
      const made = createPart(() => (attempt++ === 0 ? failing() : Promise.resolve('code')))
      expect(await loadOnce(made)).toBeNull()
      expect(isOldVersion()).toBe(false)
      expect(await loadOnce(made)).toBe('code')
    }
  })
})
