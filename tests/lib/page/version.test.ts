import { describe, expect, test, vi } from 'vitest'
import { buildHeader } from '#lib/public-names.ts'

const { stubGlobal } = vi

/** A page of build `one`, in a browser of its own. */
async function open(build: string | null = 'one') {
  vi.resetModules()
  stubGlobal('document', { documentElement: { dataset: build === null ? {} : { build } } })
  return import('#lib/page/version.ts')
}

const headers = (build: string | null) => new Headers(build === null ? {} : { [buildHeader]: build })

describe('a page finds out that the server has a newer build', () => {
  test('from the header of any response, once and for good', async () => {
    const { oldVersion, noteBuild, ...version } = await open()
    expect(version.buildHeader).toBe(buildHeader)
    const changed = vi.fn()
    oldVersion.subscribe(changed)
    noteBuild(headers('one'))
    expect(oldVersion.get()).toBe(false)
    noteBuild(headers('two'))
    // Old and new processes answer side by side during a deployment.
    noteBuild(headers('one'))
    noteBuild(headers('three'))
    expect(oldVersion.get()).toBe(true)
    expect(changed).toHaveBeenCalledOnce()
  })

  test('not where either does not name its build, as a gateway alone', async () => {
    const named = await open()
    named.noteBuild(headers(null))
    named.noteBuild(headers(''))
    expect(named.oldVersion.get()).toBe(false)
    const unnamed = await open(null)
    unnamed.noteBuild(headers('two'))
    expect(unnamed.oldVersion.get()).toBe(false)
  })
})

describe('code that did not load', () => {
  const failing = () => Promise.reject(new Error('ChunkLoadError'))

  async function lazy() {
    const { oldVersion } = await open()
    const { lazyCode } = await import('../../../app/_ui/lazy-code.ts')
    const { QueryClient } = await import('@tanstack/react-query')
    return {
      oldVersion,
      lazyCode,
      queries: new QueryClient({ defaultOptions: { queries: { retry: false } } }),
    }
  }

  test('of an older build: known before the visitor is told anything', async () => {
    const { oldVersion, lazyCode, queries } = await lazy()
    stubGlobal('fetch', async () => new Response('', { headers: headers('two') }))
    const states: string[] = []
    queries.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated') states.push(`${query.state.status} ${oldVersion.get()}`)
    })
    await queries.prefetchQuery(lazyCode('a', failing))
    expect(new Set(states)).toEqual(new Set(['pending false', 'error true']))
  })

  test('is waited for through any number of failures, and loaded once', async () => {
    const { lazyCode, queries } = await lazy()
    const { whenLoaded } = await import('../../../app/_ui/lazy-code.ts')
    stubGlobal('fetch', async () => new Response('', { headers: headers('one') }))
    let attempt = 0
    const code = lazyCode('a', () => (attempt++ < 2 ? failing() : Promise.resolve('code')))
    const loaded = whenLoaded(queries, code)
    for (let tries = 0; tries < 5; tries++) await queries.prefetchQuery(code)
    expect(await loaded).toBe('code')
    expect(await whenLoaded(queries, code)).toBe('code')
    expect(attempt).toBe(3)
  })
})
