/** Who sends a body decides how short its parts are. Beyond the first thousand they must have this many bytes on average. */
const partBytesMean = 64
const partsFree = 1000

/** Counts a body as it arrives. */
export class BodyLimit {
  readonly #bytesMax: number
  #bytes = 0
  #parts = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** False once the body is too long, or comes in so many parts that they cost more than its bytes: each is an object and a call. */
  takes(part: Uint8Array): boolean {
    this.#bytes += part.length
    this.#parts += 1
    return this.#bytes <= this.#bytesMax && this.#parts <= partsFree + this.#bytes / partBytesMean
  }
}
