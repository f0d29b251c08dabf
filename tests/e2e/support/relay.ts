import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { WebSocketServer } from 'ws'

/**
 * A minimal WalletConnect relay for pairing and sessions: mailboxes by topic that keep unread messages. Pages reach it under
 * the name of the real relay, wallets by its own port. It cannot read messages, which are encrypted.
 */
export interface Relay {
  /** The `relayUrl` for a wallet. */
  readonly url: string
  /** Routes the connections of a page to this relay. */
  readonly serve: (page: Page) => Promise<void>
  /** Stops answering current and new page connections. */
  readonly fallSilent: () => void
  /** Closes page connections, and new ones at their first message. */
  readonly hangUp: () => void
  readonly restoreConnection: () => void
  /** Messages published by pages under this WalletConnect tag. */
  readonly published: (tag: number) => readonly Published[]
  readonly close: () => Promise<void>
}

export interface Published {
  readonly tag: number
  /** The attestation of the verify service for the page, if there was one. */
  readonly attestation?: string
}

/** Message tags by meaning. */
export const tag = { sessionPropose: 1100, sessionRequest: 1108, sessionDelete: 1112 } as const

interface Request {
  readonly id: number
  readonly method: string
  readonly params: {
    readonly topic: string
    readonly topics: readonly string[]
    readonly message: string
    readonly tag: number
    readonly attestation?: string
  }
}

interface Client {
  readonly isPage: boolean
  readonly send: (text: string) => void
  readonly close: () => void
  readonly topics: Set<string>
}

/** Kept until it is acknowledged: the connection that it was sent to may be gone. */
interface Mail {
  readonly isOfPage: boolean
  readonly data: { readonly topic: string; readonly message: string }
}

export async function startRelay(): Promise<Relay> {
  const clients = new Set<Client>()
  const mail = new Map<number, Mail>()
  const published: Published[] = []
  let manner: 'answers' | 'silent' | 'closes' = 'answers'
  let ids = Date.now() * 1000

  const subscription = (topic: string) => `sub-${topic}`
  const isFor = (client: Client, { isOfPage, data }: Mail) =>
    client.isPage !== isOfPage && client.topics.has(data.topic)
  const tell = (client: Client, id: number, { data }: Mail) =>
    client.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'irn_subscription',
        params: { id: subscription(data.topic), data },
      }),
    )

  function publish(from: Client, { topic, message, tag: number, attestation }: Request['params']): true {
    if (from.isPage) published.push({ tag: number, ...(attestation && { attestation }) })
    const data = { topic, message, tag: number, publishedAt: Date.now() }
    const sent = { isOfPage: from.isPage, data }
    ids += 1
    mail.set(ids, sent)
    for (const client of clients) if (isFor(client, sent)) tell(client, ids, sent)
    return true
  }

  function subscribe(client: Client, topic: string): string {
    client.topics.add(topic)
    for (const [id, sent] of mail)
      if (sent.data.topic === topic && isFor(client, sent)) setTimeout(() => tell(client, id, sent), 0)
    return subscription(topic)
  }

  function answer(client: Client, { method, params }: Request): unknown {
    switch (method) {
      case 'irn_publish':
        return publish(client, params)
      case 'irn_subscribe':
        return subscribe(client, params.topic)
      case 'irn_batchSubscribe':
        return params.topics.map((topic) => subscribe(client, topic))
      case 'irn_unsubscribe':
        return client.topics.delete(params.topic)
      case 'irn_batchFetchMessages':
      case 'irn_fetchMessages':
        return { messages: [], hasMore: false }
      default:
        throw new Error(`unexpected relay method ${method}`)
    }
  }

  /** Accepts a connection; returns its message handler. */
  function accept(connection: Omit<Client, 'topics' | 'send'>, send: (text: string) => void) {
    const client: Client = {
      ...connection,
      topics: new Set(),
      send: (text) => {
        if (!(connection.isPage && manner === 'silent')) send(text)
      },
    }
    clients.add(client)
    return {
      hear(text: string) {
        const request = JSON.parse(text) as Partial<Request>
        if (client.isPage && manner === 'closes') return client.close()
        if (client.isPage && manner === 'silent') return
        // The rest are acknowledgements.
        if (request.method === undefined) return void mail.delete(Number(request.id))
        client.send(
          JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answer(client, request as Request) }),
        )
      },
      leave: () => clients.delete(client),
    }
  }

  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (socket) => {
    const { hear, leave } = accept({ isPage: false, close: () => socket.close() }, (text) =>
      socket.send(text),
    )
    socket.on('message', (data) => hear(String(data)))
    socket.on('close', leave)
  })
  await new Promise((resolve) => server.once('listening', resolve))

  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (page) =>
      page.routeWebSocket(/^wss:\/\/relay\.walletconnect\.org/, (socket) => {
        const close = () => {
          leave()
          void socket.close()
        }
        const { hear, leave } = accept({ isPage: true, close }, (text) => socket.send(text))
        socket.onMessage((data) => hear(String(data)))
        socket.onClose(leave)
      }),
    fallSilent() {
      manner = 'silent'
    },
    hangUp() {
      manner = 'closes'
      for (const { isPage, close } of clients) if (isPage) close()
    },
    restoreConnection() {
      manner = 'answers'
    },
    published: (number) => published.filter(({ tag }) => tag === number),
    close: () =>
      new Promise((resolve) => {
        for (const socket of server.clients) socket.terminate()
        server.close(() => resolve())
      }),
  }
}
