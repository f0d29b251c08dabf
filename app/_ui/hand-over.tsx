'use client'

import { HydrationBoundary } from '@tanstack/react-query'

/** TanStack's HydrationBoundary. A page that imported it from there would load all of the library with it. */
export const HandOver = HydrationBoundary
