import { isRecord } from '../json.ts'
import { reloadEvent } from './version.ts'

/** A draft that is older than this is not restored. */
const keptMsMax = 10 * 60_000

/** The name of the send form. */
export const sendDraft = 'send'

/** sessionStorage belongs to this tab and ends with it. */
const keyOf = (name: string) => `quorate.draft.${name}`

/** Keeps the input of an open form over a reload for a new version. It must hold no secret. Returns its end. */
export function offerDraft(name: string, read: () => unknown): () => void {
  const keep = () => {
    try {
      sessionStorage.setItem(keyOf(name), JSON.stringify({ atMs: Date.now(), draft: read() }))
    } catch {
      // Without storage the form starts empty.
    }
  }
  addEventListener(reloadEvent, keep)
  return () => removeEventListener(reloadEvent, keep)
}

/** The kept input of a form; undefined without any. */
export function findDraft(name: string): unknown {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '')
    if (isRecord(kept) && Math.abs(Date.now() - Number(kept.atMs)) <= keptMsMax) return kept.draft
  } catch {
    // None, or no storage.
  }
  return undefined
}

/** The same, once. */
export function takeDraft(name: string): unknown {
  const draft = findDraft(name)
  try {
    sessionStorage.removeItem(keyOf(name))
  } catch {
    // Nothing was kept either.
  }
  return draft
}
