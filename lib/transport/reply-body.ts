import type { Transform } from 'node:stream'
import type { SendFault } from '#rpc-proxy'
import { BodyLimit } from '../limits/body-limit.ts'
import { bufferOf } from '../limits/buffer-of.ts'
import { GatheredBytes } from '../limits/gathered-bytes.ts'
import type { WaitingLease, WaitingQuota } from '../limits/waiting-quota.ts'
import type { UnpackerOf } from './unpack.ts'

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

/** Collects a body, decompressed where it is packed, and waits for room in the quota. */
export function gatherBody(unpackerOf: UnpackerOf | null, options: ReplyBodyOptions): ReplyBody {
  const { replies, bytesMax, fail, ready } = options
  const lease = replies.open(bytesMax)
  let unpacker: Transform | null = null
  const plain = gatherPlain(lease, {
    ...options,
    ready: () => (unpacker === null ? ready() : unpacker.resume()),
  })
  if (unpackerOf === null) return { ...plain, close: lease.end }
  const limit = new BodyLimit(bytesMax + packingBytesMax)

  function open(made: Transform): Transform {
    return made
      .on('data', (chunk: Buffer) => {
        if (!plain.write(chunk)) made.pause()
      })
      .on('end', plain.end)
      .on('drain', ready)
      .on('error', (cause) => fail('malformed', cause))
  }
  return {
    write(chunk) {
      if (!limit.takes(chunk)) {
        fail('too-large')
        return false
      }
      unpacker ??= open(unpackerOf(chunk))
      return unpacker.write(chunk)
    },
    end: () => (unpacker === null ? plain.end() : unpacker.end()),
    close() {
      lease.end()
      unpacker?.destroy()
    },
  }
}

/** Keeps chunks in order, each as soon as the quota has room for it. */
function gatherPlain(
  lease: WaitingLease,
  { bytesMax, finish, fail, ready, onWait }: ReplyBodyOptions,
): Pick<ReplyBody, 'write' | 'end'> {
  const gathered = new GatheredBytes()
  const limit = new BodyLimit(bytesMax)
  let waiting = 0
  let isWhole = false
  const end = () => finish(bufferOf(gathered.whole()))

  async function addLater(chunk: Buffer, room: true | Promise<boolean>): Promise<void> {
    const isGranted = await room
    waiting--
    if (!isGranted) return
    gathered.add(chunk)
    if (waiting > 0) return
    if (isWhole) end()
    else ready()
  }

  return {
    write(chunk) {
      if (!limit.takes(chunk)) {
        fail('too-large')
        return false
      }
      const room = lease.acquire(chunk.length)
      if (room === true && waiting === 0) {
        gathered.add(chunk)
        return true
      }
      waiting++
      onWait()
      void addLater(chunk, room)
      return false
    },
    end() {
      isWhole = true
      if (waiting === 0) end()
    },
  }
}
