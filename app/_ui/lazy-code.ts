'use client'

import {
  type QueryClient,
  QueryObserver,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { checkVersion } from '#lib/page/version.ts'

/**
 * Code that is loaded on demand, as a query. `next/dynamic` keeps a failure for ever: here the code is requested again by the
 * visitor, and by itself once the browser is back online.
 */
export function lazyCode<Module>(name: string, request: () => Promise<Module>) {
  return queryOptions({
    queryKey: ['code', name],
    async queryFn() {
      try {
        return await request()
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

interface LoadedCode<Module> {
  readonly module: Module | undefined
  readonly isLoading: boolean
  readonly isFailed: boolean
  /** Loads it unless it is loaded or loading; again after a failure. */
  readonly load: () => void
}

/** The code of a part of the page, which is loaded once it is wanted, or before by `load`. */
export function useCode<Module>(
  code: LazyCode<Module>,
  { isWanted }: { readonly isWanted: boolean },
): LoadedCode<Module> {
  const queries = useQueryClient()
  const { data: module, isFetching, isError } = useQuery({ ...code, enabled: isWanted })
  const load = useCallback(() => void queries.prefetchQuery(code), [queries, code])
  return { module, isLoading: isFetching, isFailed: isError, load }
}

/** Resolves once the code is loaded, after any number of attempts. */
export function whenLoaded<Module>(queries: QueryClient, code: LazyCode<Module>): Promise<Module> {
  return new Promise((resolve) => {
    const observer = new QueryObserver(queries, code)
    const take = ({ data }: { readonly data: Module | undefined }) => {
      if (data === undefined) return
      stop()
      resolve(data)
    }
    const stop = observer.subscribe(take)
    take(observer.getCurrentResult())
  })
}
