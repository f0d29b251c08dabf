import { isRecord } from '../json.ts'

/** One key for all forms. sessionStorage belongs to this tab and ends with it. */
const key = 'quorate.drafts'

/** The name of the send form. */
export const sendDraft = 'send'

/** A draft that is older than this is not restored. */
const keptMsMax = 10 * 60_000

const open = new Map<string, () => unknown>()
let restored: Readonly<Record<string, unknown>> | undefined

/** Registers an open form, whose input a reload for a new version keeps. It must hold no secret. Returns its end. */
export function offerDraft(name: string, read: () => unknown): () => void {
  open.set(name, read)
  return () => {
    if (open.get(name) === read) open.delete(name)
  }
}

/** Keeps the input of all open forms, and loads the page again. */
export function reloadWithDrafts(): void {
  try {
    const drafts = Object.fromEntries([...open].map(([name, read]) => [name, read()]))
    if (open.size > 0) sessionStorage.setItem(key, JSON.stringify({ atMs: Date.now(), drafts }))
  } catch {
    // Without storage the form starts empty.
  }
  location.reload()
}

/** The kept input of a form, once; undefined without any. */
export function takeDraft(name: string): unknown {
  restored ??= takeStored()
  const draft = restored[name]
  restored = Object.fromEntries(Object.entries(restored).filter(([other]) => other !== name))
  return draft
}

/** Whether there is input for a form that is not open yet. */
export function hasDraft(name: string): boolean {
  restored ??= takeStored()
  return restored[name] !== undefined
}

function takeStored(): Readonly<Record<string, unknown>> {
  try {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    const stored: unknown = JSON.parse(text ?? 'null')
    if (!isRecord(stored) || typeof stored.atMs !== 'number' || !isRecord(stored.drafts)) return {}
    return Math.abs(Date.now() - stored.atMs) <= keptMsMax ? stored.drafts : {}
  } catch {
    return {}
  }
}
