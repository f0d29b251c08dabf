/** A `sentence` without isolates: for what is compared, is the name of an element, or a figure of another sentence. */
export function plainText(text: string): string {
  return text.replace(/[\u2068\u2069]/g, '')
}
