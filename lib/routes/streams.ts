import type { Snapshot } from '#rpc-proxy'
import { type HostResponse, refuse } from '../http.ts'

const everyMs = 1000
/** Concurrent streams. Each has a connection and is written to every second. */
const streamsMax = 32

/** `no-transform`: a compressing proxy would delay events. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
}

/** Server-sent events: the snapshot immediately and then every second, while `isAllowed` and for at most `msMax`. */
export function createStreams(
  snapshot: () => Snapshot,
  msMax: number | null,
): { readonly open: (isAllowed: () => boolean) => HostResponse; readonly close: () => void } {
  const ends = new Set<() => void>()
  const encoder = new TextEncoder()

  const snapshotEvent = (before = '') =>
    encoder.encode(`${before}event: snapshot\ndata: ${JSON.stringify(snapshot())}\n\n`)

  function stream(isAllowed: () => boolean): ReadableStream<Uint8Array> {
    let stop = () => {}
    return new ReadableStream({
      start(controller) {
        const startedMs = Date.now()
        const tell = () => {
          if (!isAllowed() || (msMax !== null && Date.now() - startedMs >= msMax)) return end()
          // A slow reader misses snapshots instead of making us buffer them.
          if ((controller.desiredSize ?? 0) <= 0) return
          controller.enqueue(snapshotEvent())
        }
        const timer = setInterval(tell, everyMs)
        const end = () => {
          stop()
          controller.close()
        }
        stop = () => {
          ends.delete(end)
          clearInterval(timer)
        }
        ends.add(end)
        controller.enqueue(snapshotEvent('retry: 1000\n'))
      },
      cancel: () => stop(),
    })
  }

  return {
    open: (isAllowed) =>
      ends.size >= streamsMax
        ? refuse(503, 'too many streams', { 'retry-after': '5' })
        : { status: 200, headers: streamHeaders, body: stream(isAllowed) },
    close: () => {
      for (const end of [...ends]) end()
    },
  }
}
