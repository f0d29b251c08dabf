import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import { buildHeader } from '#lib/public-names.ts'

/** A page of build `one`, in a browser of its own. */
async function open(build: string | null = 'one') {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { dataset: build === null ? {} : { build } } })
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

  /** The same page, and a server of this build. */
  async function lazy(build: string) {
    vi.stubGlobal('fetch', async () => new Response('', { headers: headers(build) }))
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    return { ...(await open()), ...(await import('../../../app/_ui/lazy-code.ts')), queries }
  }

  test('of an older build: known before the visitor is told anything', async () => {
    const { oldVersion, lazyCode, queries } = await lazy('two')
    const states = new Set<string>()
    queries.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated') states.add(`${query.state.status} ${oldVersion.get()}`)
    })
    await queries.prefetchQuery(lazyCode('a', failing))
    expect([...states]).toEqual(['pending false', 'error true'])
  })

  test('is waited for through any number of failures, and loaded once', async () => {
    const { lazyCode, whenLoaded, queries } = await lazy('one')
    const load = vi
      .fn(async () => 'code')
      .mockImplementationOnce(failing)
      .mockImplementationOnce(failing)
    const code = lazyCode('a', load)
    const loaded = whenLoaded(queries, code)
    for (let tries = 0; tries < 5; tries++) await queries.prefetchQuery(code)
    expect([await loaded, await whenLoaded(queries, code)]).toEqual(['code', 'code'])
    expect(load).toHaveBeenCalledTimes(3)
  })
})
