/** How high blocks have come, and when: nodes that are no further apart than `apartMs` are level. */
export class HeightLog {
  readonly #apartMs: number
  /** Each higher than the one before it; only the first is older than `apartMs`. */
  readonly #entries: { readonly number: number; readonly atMs: number }[] = []

  constructor(apartMs: number) {
    this.#apartMs = apartMs
  }

  note(number: number, nowMs: number): void {
    if (number <= (this.top() ?? -1)) return
    this.#forget(nowMs)
    this.#entries.push({ number, atMs: nowMs })
  }

  /** The highest of all; null before the first. */
  top(): number | null {
    return this.#entries.at(-1)?.number ?? null
  }

  /** Whether a block has been passed for so long that its node is behind. One block may be the moment at which it was asked for. */
  isPassed(number: number, nowMs: number): boolean {
    this.#forget(nowMs)
    const [first] = this.#entries
    return first !== undefined && first.atMs <= nowMs - this.#apartMs && number < first.number - 1
  }

  clear(): void {
    this.#entries.length = 0
  }

  #forget(nowMs: number): void {
    while ((this.#entries[1]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs - this.#apartMs)
      this.#entries.shift()
  }
}
