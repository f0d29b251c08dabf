import { notifyManager, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { checkVersion } from '#lib/page/version.ts'

/**
 * Code that is loaded on demand, as a query. `next/dynamic` is React's `lazy`, which keeps a failure for as long as the page lives, and
 * cannot load ahead of a click: here the code is requested again by the visitor, and by itself once the browser is back online.
 */
export function lazyCode<Module>(name: string, request: () => Promise<Module>) {
  return queryOptions({
    queryKey: ['code', name],
    async queryFn() {
      try {
        // A phone that goes from one network to another loses what it was loading.
        return await request().catch(request)
      } catch (error) {
        // Where the server has a newer build, this one's code may be gone, and the visitor must not be told to try again.
        await checkVersion()
        throw error
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}

export type LazyCode<Module> = ReturnType<typeof lazyCode<Module>>

interface CodeOptions {
  readonly isWanted: boolean
  /** For a part that is in the page from the start: its code would delay the frame that shows the account as connected. */
  readonly isAfterPaint?: boolean
}

/**
 * The code of a part of the page, which is loaded once it is wanted, or before by `load`. `useQuery` does more, but adds three
 * kilobytes to pages that read nothing.
 */
export function useCode<Module>(code: LazyCode<Module>, { isWanted, isAfterPaint = false }: CodeOptions) {
  const queries = useQueryClient()
  const subscribe = useCallback(
    // Not at once: a query that begins during a render would update others in it.
    (onChange: () => void) => queries.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [queries],
  )
  // The module alone, and not whether it is loading: that would render the part once more.
  const module = useSyncExternalStore(
    subscribe,
    () => queries.getQueryData(code.queryKey),
    () => undefined,
  )
  const isFailed = useSyncExternalStore(
    subscribe,
    () => queries.getQueryState(code.queryKey)?.status === 'error',
    () => false,
  )
  // Unless it is loaded or loading; again after a failure.
  const load = useCallback(() => void queries.prefetchQuery(code), [queries, code])
  useEffect(() => {
    if (isWanted && isAfterPaint) return afterPaint(load)
    if (isWanted) load()
    return undefined
  }, [isWanted, isAfterPaint, load])
  useEffect(() => {
    if (!isFailed) return
    addEventListener('online', load)
    return () => removeEventListener('online', load)
  }, [isFailed, load])
  return { module, isLoading: isWanted && !module && !isFailed, isFailed, load }
}

/** Runs `call` after the next frame. Returns a function that cancels it. */
function afterPaint(call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(call)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Resolves once the code is loaded, after any number of attempts. */
export function whenLoaded<Module>(queries: QueryClient, code: LazyCode<Module>): Promise<Module> {
  void queries.prefetchQuery(code)
  return new Promise((resolve) => {
    const check = () => {
      const module = queries.getQueryData(code.queryKey)
      if (module === undefined) return
      stop()
      resolve(module as Module)
    }
    const stop = queries.getQueryCache().subscribe(check)
    check()
  })
}
