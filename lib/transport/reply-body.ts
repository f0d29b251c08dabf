import type { Transform } from 'node:stream'
import type { SendFault } from '#rpc-proxy'
import { BodyLimit } from '../limits/body-limit.ts'
import { bufferOf } from '../limits/buffer-of.ts'
import { GatheredBytes } from '../limits/gathered-bytes.ts'
import type { WaitingLease, WaitingQuota } from '../limits/waiting-quota.ts'
import { type Packing, unpackerOf } from './unpack.ts'

/** Receives the chunks of one body. */
export interface ReplyBody {
  /** False when the sender should pause until `ready` is called. Chunks that come anyway are queued. */
  readonly write: (chunk: Buffer) => boolean
  readonly end: () => void
  /** Releases its memory. No callback is called after that. */
  readonly close: () => void
}

export interface ReplyBodyOptions {
  readonly replies: WaitingQuota
  /** Cap on the body in bytes, after decompression. */
  readonly bytesMax: number
  readonly finish: (body: Buffer) => void
  readonly fail: (kind: SendFault['kind'], cause?: unknown) => void
  /** More can be written, after `write` returned false. */
  readonly ready: () => void
  /** A chunk has to wait for room in the quota. */
  readonly onWait: () => void
}

/** Compression can make a short text slightly longer. */
const packingBytesMax = 4096
/** Data in the decompressor while the rest arrives: a few socket chunks. */
const pipelineBytesMax = 256 << 10

/** Collects a body, decompressed where it is packed, and waits for room in the quota. */
export function gatherBody(packing: Packing | null, options: ReplyBodyOptions): ReplyBody {
  const { replies, bytesMax, finish } = options
  const lease = replies.open(bytesMax + (packing === null ? 0 : pipelineBytesMax))
  const gathered = new GatheredBytes()
  let unpacker: Transform | null = null
  const plain = createQueue(lease, {
    ...options,
    pass(chunk) {
      gathered.add(chunk)
      return true
    },
    finish: () => finish(bufferOf(gathered.whole())),
    ready: () => (unpacker === null ? options.ready() : unpacker.resume()),
  })
  if (packing === null) return { ...plain, close: lease.end }

  function open(first: Buffer, as: Packing): Transform {
    const made = unpackerOf(as, first)
    made
      .on('data', (chunk: Buffer) => {
        if (!plain.write(chunk)) made.pause()
      })
      .on('end', plain.end)
      .on('drain', options.ready)
      .on('error', (cause) => options.fail('malformed', cause))
    return made
  }
  const packed = createQueue(lease, {
    ...options,
    bytesMax: bytesMax + packingBytesMax,
    pass(chunk) {
      unpacker ??= open(chunk, packing)
      return unpacker.write(chunk, () => lease.give(chunk.length))
    },
    finish: () => (unpacker === null ? plain.end() : unpacker.end()),
  })
  return {
    ...packed,
    close() {
      lease.end()
      unpacker?.destroy()
    },
  }
}

interface QueueOptions {
  readonly bytesMax: number
  /** Receives each chunk that has room; false to pause. */
  readonly pass: (chunk: Buffer) => boolean
  readonly finish: () => void
  readonly fail: (kind: SendFault['kind']) => void
  readonly ready: () => void
  readonly onWait: () => void
}

/** Passes chunks on in order, each as soon as the quota has room for it. */
function createQueue(
  lease: WaitingLease,
  { bytesMax, pass, finish, fail, ready, onWait }: QueueOptions,
): Pick<ReplyBody, 'write' | 'end'> {
  const limit = new BodyLimit(bytesMax)
  let waiting = 0
  let isWhole = false

  async function passLater(chunk: Buffer, room: true | Promise<boolean>): Promise<void> {
    const isGranted = await room
    waiting--
    if (!isGranted) return
    const takesMore = pass(chunk)
    if (waiting > 0) return
    if (isWhole) finish()
    else if (takesMore) ready()
  }

  return {
    write(chunk) {
      if (!limit.takes(chunk)) {
        fail('too-large')
        return false
      }
      const room = lease.acquire(chunk.length)
      if (room === true && waiting === 0) return pass(chunk)
      waiting++
      onWait()
      void passLater(chunk, room)
      return false
    },
    end() {
      isWhole = true
      if (waiting === 0) finish()
    },
  }
}
