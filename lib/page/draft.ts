import { isRecord } from '../parse-json.ts'

/** One key for all forms. sessionStorage belongs to this tab and ends with it. */
const key = 'quorate.drafts'

/** A draft that is older than this is not restored. */
const draftMsMax = 10 * 60_000

/** The name of the send form. */
export const sendDraft = 'send'

let restored: Readonly<Record<string, unknown>> | undefined

/** Keeps the input of an open form over a reload. It must hold no secret. Returns its end. */
export function offerDraft(name: string, read: () => unknown): () => void {
  const save = () => {
    try {
      sessionStorage.setItem(
        key,
        JSON.stringify({ atMs: Date.now(), drafts: { ...stored(), [name]: read() } }),
      )
    } catch {
      // Without storage the form starts empty.
    }
  }
  addEventListener('pagehide', save)
  return () => removeEventListener('pagehide', save)
}

/** The kept input of a form, once; undefined without any. */
export function takeDraft(name: string): unknown {
  const { [name]: draft, ...others } = known()
  restored = others
  return draft
}

/** Whether there is input for a form that is not open yet. */
export function hasDraft(name: string): boolean {
  return known()[name] !== undefined
}

/** Once for each page: what is kept is for the page after the reload, and for no later one. */
function known(): Readonly<Record<string, unknown>> {
  if (restored === undefined) {
    restored = stored()
    try {
      sessionStorage.removeItem(key)
    } catch {
      // Nothing was kept either.
    }
  }
  return restored
}

function stored(): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (!isRecord(stored) || typeof stored.atMs !== 'number' || !isRecord(stored.drafts)) return {}
    return Math.abs(Date.now() - stored.atMs) <= draftMsMax ? stored.drafts : {}
  } catch {
    return {}
  }
}
