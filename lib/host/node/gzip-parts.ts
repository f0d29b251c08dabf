import { constants, crc32, deflateRawSync } from 'node:zlib'

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
/** An empty block, marked as the last one. */
const lastBlock = Buffer.from([3, 0])
const windowBytes = 2 ** 15

/** A part whose compressed form ends at a byte, so that others can stand before and behind it. */
export interface Deflated {
  readonly plain: Buffer
  readonly packed: Buffer
}

/** Compresses a part at once, on this thread, with what precedes it as dictionary. */
export function deflatePart(plain: Buffer, before: Buffer = Buffer.alloc(0)): Deflated {
  const dictionary = before.subarray(-windowBytes)
  const options = { finishFlush: constants.Z_SYNC_FLUSH, ...(dictionary.length > 0 && { dictionary }) }
  return { plain, packed: deflateRawSync(plain, options) }
}

/** A gzip file (RFC 1952) of parts, each of which is complete before the next one is known. */
export class GzipParts {
  #before = Buffer.alloc(0)
  #crc = 0
  #bytes = 0

  /** The next bytes of the file, for parts that are compressed already. */
  add(parts: readonly Deflated[]): Buffer {
    const start = this.#bytes === 0 ? [header] : []
    for (const { plain } of parts) {
      this.#crc = crc32(plain, this.#crc)
      this.#bytes += plain.length
      this.#before = Buffer.concat([this.#before, plain]).subarray(-windowBytes)
    }
    return Buffer.concat([...start, ...parts.map(({ packed }) => packed)])
  }

  next(plain: Buffer): Buffer {
    return this.add([deflatePart(plain, this.#before)])
  }

  end(): Buffer {
    const sums = Buffer.alloc(8)
    sums.writeUInt32LE(this.#crc, 0)
    sums.writeUInt32LE(this.#bytes % 2 ** 32, 4)
    return Buffer.concat([lastBlock, sums])
  }
}
