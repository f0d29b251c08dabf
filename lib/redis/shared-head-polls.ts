import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Cancel, Clock, Send, SendRequest, Series } from '#rpc-proxy'
import type { Claims, Peers } from '../engine/peers.ts'
import { Counter } from '../observe/counter.ts'

/** How long a process waits for the reply to another one; then it asks by itself. A node that takes longer has not stalled yet. */
const replyMsMax = 400
/** A reply of this age is as good as one of now. Clocks that differ by more share no replies. */
const ageMsMax = 200
/** So long after the last reply of a poll the others take it over. */
const gatherMs = 15
/** A header names its transactions: 68 characters each. */
const textCharsMax = 128 * 1024
const keysMax = 1_000

const tags = ['latest', 'safe', 'finalized'] as const
type Tag = (typeof tags)[number]

const replyForm = z.object({
  key: z.string(),
  chainId: z.int(),
  tag: z.enum(tags),
  text: z.string().nullable(),
  atMs: z.number(),
  /** It was asked for in a poll that takes over another. Nobody takes over that one in turn: processes would make each other poll for ever. */
  isEcho: z.boolean(),
})

/** What is known of one head of one node. */
interface Known {
  reply: { readonly text: string; readonly atMs: number } | null
  /** Of the last reply, also one that says nothing: claims from before it are over. */
  repliedMs: number
  readonly waiting: Set<(text: string | null) => void>
}

interface SharedHeadPolls {
  readonly send: Send
  /** `refresh` is called when another process has polled this: its replies are here then. It resolves when that is taken over. */
  readonly onPolled: (refresh: (chainId: number, tag: Tag) => Promise<void>) => void
  readonly series: () => readonly Series<number>[]
}

/**
 * One request for the head of a node at a time, over all processes: what it replied to one is its reply to all who want to know within a
 * moment. Each process counts the votes itself; only the asking is shared. One that hears nothing asks by itself.
 */
export function shareHeadPolls(
  send: Send,
  { peers, clock, chainOf, onSaved }: SharingPorts,
): SharedHeadPolls {
  const known = new Map<string, Known>()
  const polls = new Counter('head_polls_total', 'way', ['sent', 'saved'])
  const gathering = new Map<string, Cancel>()
  const echoing = new Map<string, number>()
  let refresh: Parameters<SharedHeadPolls['onPolled']>[0] = async () => {}

  function of(key: string): Known {
    const entry = known.get(key) ?? { reply: null, repliedMs: 0, waiting: new Set() }
    if (known.size < keysMax) known.set(key, entry)
    return entry
  }

  function refreshSoon(chainId: number, tag: Tag): void {
    const poll = pollOf(chainId, tag)
    gathering.get(poll)?.()
    const run = () => {
      gathering.delete(poll)
      echoing.set(poll, (echoing.get(poll) ?? 0) + 1)
      void refresh(chainId, tag)
        .catch(() => {})
        .finally(() => echoing.set(poll, (echoing.get(poll) ?? 0) - 1))
    }
    gathering.set(poll, clock.after(gatherMs, run))
  }

  peers.on('head-reply', (value) => {
    const { data } = replyForm.safeParse(value)
    if (data === undefined || Math.abs(clock.now() - data.atMs) > ageMsMax) return
    const { key, chainId, tag, text, atMs, isEcho } = data
    note(key, text, atMs)
    if (text !== null && !isEcho) refreshSoon(chainId, tag)
  })

  function note(key: string, text: string | null, atMs: number): void {
    const entry = of(key)
    entry.reply = text === null ? null : { text, atMs }
    entry.repliedMs = atMs
    for (const settle of entry.waiting) settle(text)
  }

  /** The next reply to another process; null where there is none in time. */
  function nextReply({ waiting }: Known, { signal }: SendRequest) {
    let leave = () => {}
    const reply = new Promise<string | null>((resolve) => {
      const settle = (text: string | null) => {
        waiting.delete(settle)
        cancel()
        signal.removeEventListener('abort', leave)
        resolve(text)
      }
      leave = () => settle(null)
      const cancel = clock.after(replyMsMax, leave)
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(settle)
    })
    return { reply, leave }
  }

  /** What the node replied or is about to reply to another process; else what ends the turn of this one. */
  async function fromOthers(key: string, request: SendRequest): Promise<string | (() => void)> {
    const entry = of(key)
    const fresh = () =>
      entry.reply !== null && clock.now() - entry.reply.atMs <= ageMsMax ? entry.reply.text : null
    const here = fresh()
    if (here !== null) return here
    const { reply, leave } = nextReply(entry, request)
    const end = await peers.claim(`head:${key}`, replyMsMax, entry.repliedMs)
    if (end === null) return (await reply) ?? (() => {})
    leave()
    const lately = fresh()
    if (lately === null) return end
    end()
    return lately
  }

  async function sendAndTell({ key, id, tag }: Poll, request: SendRequest): ReturnType<Send> {
    const chainId = chainOf(request.url)
    const isEcho = chainId !== null && (echoing.get(pollOf(chainId, tag)) ?? 0) > 0
    let text: string | null = null
    try {
      const response = await send(request)
      text = response.status === 200 ? resultIn(response.body, id) : null
      return response
    } finally {
      polls.add('sent')
      const atMs = clock.now()
      // It serves this process too, as long as it serves others: processes without a quorum would make each other ask again and again.
      note(key, text, atMs)
      if (chainId !== null) peers.send('head-reply', { key, chainId, tag, text, atMs, isEcho })
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
      const found = await fromOthers(poll.key, request)
      if (typeof found === 'function')
        return request.signal.aborted
          ? send(request).finally(found)
          : sendAndTell(poll, request).finally(found)
      polls.add('saved')
      onSaved(request.url)
      return { status: 200, retryAfter: null, body: `{"jsonrpc":"2.0","id":${poll.id},"result":${found}}` }
    },
  }
}

const pollOf = (chainId: number, tag: Tag) => `${chainId} ${tag}`

interface SharingPorts {
  readonly peers: Peers & Claims
  readonly clock: Clock
  /** The chain of the node at this url; null where it is none's any more. */
  readonly chainOf: (url: string) => number | null
  /** A request to this url was not sent, because another process had the reply. */
  readonly onSaved: (url: string) => void
}

const pollForm =
  /^\{"jsonrpc":"2\.0","id":(\d+),"method":"eth_getBlockByNumber","params":\["(latest|safe|finalized)",false\]\}$/

interface Poll {
  /** Names the node and which of its heads, without its url, which may have a key in it. */
  readonly key: string
  readonly id: number
  readonly tag: Tag
}

/** Null for any other request. */
function pollIn({ url, body }: SendRequest): Poll | null {
  // Most requests are something else, and short of a look at their method.
  if (body.length > 120) return null
  const [, id, tag] = pollForm.exec(body) ?? []
  if (id === undefined) return null
  const key = createHash('sha256').update(`${tag} ${url}`).digest('base64url')
  return { key, id: Number(id), tag: tag as Tag }
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
