import type { Form } from './forms.ts'
import { hashOrTransaction, log, receipt } from './objects.ts'
import type { Shape } from './shapes.ts'

/** Canonical members by what a node sent for them. */
export type ReadMembers = WeakMap<object, unknown>

/** Where an answer is long it is a list of these. */
const lists: Partial<Record<Shape, { readonly members: (value: unknown) => unknown; readonly form: Form }>> =
  {
    logs: { members: (value) => value, form: log },
    receipts: { members: (value) => value, form: receipt },
    block: {
      members: (value) => (value as { transactions?: unknown } | null)?.transactions,
      form: hashOrTransaction,
    },
  }

/**
 * Reads the members of a long answer a slice at a time, and lets the event loop turn in between by `pause`. What it has
 * read is handed to `readAs`, which then has little left to do. A member that is malformed ends it: `readAs` meets it again
 * and says so.
 */
export async function readAhead(
  shape: Shape,
  value: unknown,
  { chainId, slices, pause }: { chainId: number; slices: number; pause: () => Promise<void> },
): Promise<ReadMembers> {
  const read: ReadMembers = new WeakMap()
  const { members, form } = lists[shape] ?? {}
  const items = members?.(value)
  if (form === undefined || !Array.isArray(items)) return read
  const each = Math.max(1, Math.ceil(items.length / slices))
  for (let from = 0; from < items.length; from += each) {
    await pause()
    try {
      for (const item of items.slice(from, from + each))
        if (typeof item === 'object' && item !== null) read.set(item, form.read(item, { chainId }))
    } catch {
      return read
    }
  }
  await pause()
  return read
}
