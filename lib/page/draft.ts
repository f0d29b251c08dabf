import { isRecord } from '../parse-json.ts'
import { createStoredList, ownStorage } from './stored-list.ts'

/** A draft that is older than this is not restored. */
const draftMsMax = 10 * 60_000

/** The name of the send form. */
export const sendDraft = 'send'

interface Draft {
  readonly name: string
  readonly atMs: number
  readonly input: unknown
}

/** Of all forms. sessionStorage belongs to this tab and ends with it. */
const storedDrafts = () => createStoredList(ownStorage('sessionStorage'), 'quorate.drafts', isDraft)

function isDraft(value: unknown): value is Draft {
  return isRecord(value) && typeof value.name === 'string' && typeof value.atMs === 'number'
}

/** Input that the wallet may be sending: who finds it in the form again may pay twice. */
const inWallet = new WeakSet<object>()

/** Offers an input no more. Returns what offers it again, unless it was withdrawn before. */
export function withdrawDraft(input: object): () => void {
  const isFirst = isOffered(input)
  inWallet.add(input)
  // It may be there since the page was hidden. What is still open is kept again when the page is.
  storedDrafts().save(() => [])
  return () => isFirst && inWallet.delete(input)
}

export function isOffered(input: object): boolean {
  return !inWallet.has(input)
}

/**
 * Keeps the input of an open form over a reload, null without one. It must hold no secret. Returns its end. Phones end a page that is
 * hidden without a word.
 */
export function offerDraft(name: string, read: () => object | null): () => void {
  const keep = (input: object | null) => {
    const own = input && isOffered(input) ? [{ name, atMs: Date.now(), input }] : []
    storedDrafts().save((drafts) => [...drafts.filter((other) => other.name !== name), ...own])
  }
  let isStored = false
  const save = ({ type }: Event) => {
    if (type !== 'pagehide' && document.visibilityState !== 'hidden') return
    isStored = true
    keep(read())
  }
  addEventListener('pagehide', save)
  document.addEventListener('visibilitychange', save)
  return () => {
    removeEventListener('pagehide', save)
    document.removeEventListener('visibilitychange', save)
    if (isStored) keep(null)
  }
}

/** The kept input of a form, once; undefined without any. */
export function takeDraft(name: string): unknown {
  const drafts = known()
  restored = drafts.filter((draft) => draft.name !== name)
  return drafts.find((draft) => draft.name === name)?.input
}

/** Whether there is input for a form that is not open yet. */
export function hasDraft(name: string): boolean {
  return known().some((draft) => draft.name === name)
}

let restored: readonly Draft[] | undefined

/** Once for each page: what is kept is for the page after the reload, and for no later one. */
function known(): readonly Draft[] {
  if (restored === undefined) {
    const drafts = storedDrafts()
    restored = drafts.get().filter(({ atMs }) => Math.abs(Date.now() - atMs) <= draftMsMax)
    drafts.save(() => [])
  }
  return restored
}
