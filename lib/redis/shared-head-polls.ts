import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Clock, Send, SendRequest, Series } from '#rpc-proxy'
import type { Peers } from '../engine/peers.ts'
import { Counter } from '../observe/counter.ts'

/** Before it asks a node, each process waits a random part of this, so that one of those that want to is first. */
const spreadMs = 30
/** How long the others wait for its reply; then they ask by themselves. A node that takes longer has not stalled yet. */
const replyMsMax = 400
/** A reply of this age is as good as one of now. Clocks that differ by more share no replies. */
const ageMsMax = 200
/** So long after the last reply of a poll the others take it over. */
const gatherMs = 15
/** A header names its transactions: 68 characters each. */
const textCharsMax = 128 * 1024
const keysMax = 1_000

const claim = z.object({ key: z.string() })
const reply = z.object({ key: z.string(), text: z.string().nullable(), atMs: z.number() })

interface Known {
  claimedMs: number
  reply: { readonly text: string; readonly atMs: number } | null
  readonly waiting: Set<(text: string | null) => void>
}

interface SharedHeadPolls {
  readonly send: Send
  /** `refresh` is called when another process has polled: its replies are here then. */
  readonly onPolled: (refresh: () => void) => void
  readonly series: () => readonly Series<number>[]
}

/**
 * One request for the head of a node at a time, over all processes: what it replied to one is its reply to all who want to know within a
 * moment. Each process counts the votes itself; only the asking is shared. One that hears nothing asks by itself.
 */
export function shareHeadPolls(send: Send, { peers, clock, random, onSaved }: SharingPorts): SharedHeadPolls {
  const known = new Map<string, Known>()
  const polls = new Counter('head_polls_total', 'way', ['sent', 'saved'])
  let refresh = () => {}
  let cancelRefresh = () => {}

  function of(key: string): Known {
    const entry = known.get(key) ?? { claimedMs: Number.NEGATIVE_INFINITY, reply: null, waiting: new Set() }
    if (known.size < keysMax) known.set(key, entry)
    return entry
  }

  peers.on('head-claim', (value) => {
    const { data } = claim.safeParse(value)
    if (data !== undefined) of(data.key).claimedMs = clock.now()
  })
  peers.on('head-reply', (value) => {
    const { data } = reply.safeParse(value)
    if (data === undefined || Math.abs(clock.now() - data.atMs) > ageMsMax) return
    const entry = of(data.key)
    entry.claimedMs = Number.NEGATIVE_INFINITY
    entry.reply = data.text === null ? null : { text: data.text, atMs: data.atMs }
    for (const settle of entry.waiting) settle(data.text)
    if (data.text === null) return
    cancelRefresh()
    cancelRefresh = clock.after(gatherMs, () => refresh())
  })

  /** What the next reply to somebody else is; null where there is none in this time. */
  function nextReply({ waiting }: Known, ms: number, { signal }: SendRequest): Promise<string | null> {
    return new Promise((resolve) => {
      const settle = (text: string | null) => {
        waiting.delete(settle)
        cancel()
        signal.removeEventListener('abort', leave)
        resolve(text)
      }
      const leave = () => settle(null)
      const cancel = clock.after(ms, leave)
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(settle)
    })
  }

  async function fromOthers(key: string, request: SendRequest): Promise<string | null> {
    const entry = of(key)
    const fresh = () =>
      entry.reply !== null && clock.now() - entry.reply.atMs <= ageMsMax ? entry.reply.text : null
    const claimedForMs = () => entry.claimedMs + replyMsMax - clock.now()
    const here = fresh()
    if (here !== null) return here
    if (claimedForMs() <= 0) {
      const early = await nextReply(entry, random() * spreadMs, request)
      if (early !== null) return early
    }
    return claimedForMs() > 0 ? nextReply(entry, claimedForMs(), request) : null
  }

  async function sendAndTell(key: string, id: number, request: SendRequest): ReturnType<Send> {
    peers.send('head-claim', { key })
    let text: string | null = null
    try {
      const response = await send(request)
      text = response.status === 200 ? resultIn(response.body, id) : null
      return response
    } finally {
      polls.add('sent')
      peers.send('head-reply', { key, text, atMs: clock.now() })
    }
  }

  return {
    series: () => polls.series(),
    onPolled(next) {
      refresh = next
    },
    async send(request) {
      const poll = pollIn(request)
      if (poll === null) return send(request)
      const { key, id } = poll
      const found = await fromOthers(key, request)
      if (found === null || request.signal.aborted) return sendAndTell(key, id, request)
      polls.add('saved')
      onSaved(request.url)
      return { status: 200, retryAfter: null, body: `{"jsonrpc":"2.0","id":${id},"result":${found}}` }
    },
  }
}

interface SharingPorts {
  readonly peers: Peers
  readonly clock: Clock
  readonly random: () => number
  /** A request to this url was not sent, because another process had the reply. */
  readonly onSaved: (url: string) => void
}

const pollForm =
  /^\{"jsonrpc":"2\.0","id":(\d+),"method":"eth_getBlockByNumber","params":\["(latest|safe|finalized)",false\]\}$/

/** Which node is asked for which of its heads, without its url, which may have a key in it; null for any other request. */
function pollIn({ url, body }: SendRequest): { readonly key: string; readonly id: number } | null {
  // Most requests are something else, and short of a look at their method.
  if (body.length > 120) return null
  const [, id, tag] = pollForm.exec(body) ?? []
  if (id === undefined) return null
  return { key: createHash('sha256').update(`${tag} ${url}`).digest('base64url'), id: Number(id) }
}

/** The JSON text of the result of a reply; null for an error, or what is none. */
function resultIn(body: Uint8Array | string, id: number): string | null {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body)
    const answer = JSON.parse(text) as { readonly id?: unknown; readonly result?: unknown } | null
    const result = answer?.id === id && answer.result != null ? JSON.stringify(answer.result) : null
    return result !== null && result.length <= textCharsMax ? result : null
  } catch {
    return null
  }
}
