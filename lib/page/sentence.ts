/**
 * A sentence in which each figure, amount, address or name stands between Unicode's isolates, as ICU and Fluent write it. `Worded` makes
 * them elements of their own; where the text is no part of a page they are invisible.
 */
export function sentence(words: TemplateStringsArray, ...figures: readonly (string | number)[]): string {
  return String.raw({ raw: words }, ...figures.map((figure) => `\u2068${figure}\u2069`))
}
