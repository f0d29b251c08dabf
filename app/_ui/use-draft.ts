import { useEffect, useEffectEvent } from 'react'
import { offerDraft } from '#lib/page/draft.ts'

/** Keeps the input of a form over a reload for a new version. */
export function useDraft(name: string, draft: object | null): void {
  const read = useEffectEvent(() => draft)
  useEffect(() => offerDraft(name, () => read()), [name])
}
