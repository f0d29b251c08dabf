/**
 * The slice of a text, in memory of its own wherever it is less than half of it. Engines keep all of a text alive as long
 * as any slice of it is: a word that is remembered would keep the megabytes that it came with.
 */
export function owned(text: string, from: number, to: number): string {
  const slice = text.slice(from, to)
  // Joining copies the characters, and the slice of the copy keeps the copy alone.
  return slice.length * 2 < text.length ? ` ${slice}`.slice(1) : slice
}
