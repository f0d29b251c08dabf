/**
 * A body as it arrives. The parts are copied together: one of a single byte would keep alive the 64 KiB in which it arrived. A body
 * in one part, as most are, is not copied.
 */
export class GatheredBytes {
  #bytes: Uint8Array = new Uint8Array()
  #length = 0

  add(part: Uint8Array): void {
    const length = this.#length + part.length
    if (this.#length === 0) this.#bytes = part
    else {
      if (length > this.#bytes.length) this.#widen(length)
      this.#bytes.set(part, this.#length)
    }
    this.#length = length
  }

  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #widen(length: number): void {
    const wider = new Uint8Array(Math.max(length, 2 * this.#bytes.length))
    wider.set(this.#bytes)
    this.#bytes = wider
  }
}
