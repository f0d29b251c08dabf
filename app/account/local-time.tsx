'use client'

import { useSyncExternalStore } from 'react'
import { dayTime } from '#lib/page/format.ts'

/** In the visitor's language and time zone, which is named. For browsers only. */
export function localTime(ms: number): string {
  const parts = {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  } as const
  return new Intl.DateTimeFormat(undefined, { ...parts, timeZoneName: 'short' }).format(ms)
}

/** The same, in UTC until the browser renders it. */
export function LocalTime({ ms }: { ms: number }) {
  const text = useSyncExternalStore(
    () => () => {},
    () => localTime(ms),
    () => `${dayTime(ms)} UTC`,
  )
  return (
    <time dateTime={new Date(ms).toISOString()} translate="no">
      {text}
    </time>
  )
}
