'use client'

import { useEffect, useRef } from 'react'
import { offerDraft } from '#lib/page/draft.ts'

/** Keeps the input of a form over a reload for a new version. */
export function useDraft(name: string, draft: unknown): void {
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => offerDraft(name, () => latest.current), [name])
}
