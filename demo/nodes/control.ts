import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { gatewayPath, replyOfGateway } from '../name-registry.ts'
import { closeServer, listenOn } from '../ports.ts'
import { parseFaultProfile } from './fault-profile.ts'
import type { FaultyNode } from './node.ts'

/** Nodes and their chain, if there are several chains. */
export type Controls = { readonly chain?: number; readonly nodes: readonly FaultyNode[] }

export type Control = { readonly url: string; stop(): Promise<void> }

const bodyBytesMax = 65_536
const order = z.strictObject({ chain: z.int().optional(), node: z.string(), faultProfile: z.unknown() })

/**
 * Opens a control port, on loopback by default, to switch fault profiles:
 * `POST /control {"chain": 137, "node": "c", "faultProfile": "hanging"}`; `GET /control` lists every node.
 */
export async function startControl(
  boards: readonly Controls[],
  { port = 0, host = '127.0.0.1' } = {},
): Promise<Control> {
  const server = createServer((request, response) => {
    serve(boards, request, response).catch((cause: unknown) => reply(response, 400, { error: String(cause) }))
  })
  const own = await listenOn(server, { port, host })
  return { url: `http://127.0.0.1:${own}/control`, stop: () => closeServer(server) }
}

async function serve(
  boards: readonly Controls[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Web pages can reach loopback too: by DNS rebinding, or with the content types of forms.
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? '')) {
    return reply(response, 403, { error: 'this port answers to loopback names only' })
  }
  if (request.method === 'GET' && request.url?.startsWith(gatewayPath)) {
    const signed = await replyOfGateway(request.url.slice(gatewayPath.length))
    return reply(response, signed === null ? 400 : 200, signed ?? { error: 'no look-up of a name' })
  }
  if (request.url !== '/control') return reply(response, 404, { error: 'only /control is here' })
  if (request.method === 'GET') return reply(response, 200, { nodes: boards.flatMap(listed) })
  if (request.method !== 'POST') return reply(response, 405, { error: 'GET lists, POST switches' })
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return reply(response, 415, { error: 'send application/json' })
  }
  const { chain, node, faultProfile } = order.parse(JSON.parse(await textOf(request)))
  const found = boards
    .filter((controls) => chain === undefined || controls.chain === chain)
    .flatMap((controls) => controls.nodes)
    .filter(({ name }) => name === node)
  if (found.length === 0) return reply(response, 404, { error: `no node ${node}` })
  if (found.length > 1)
    return reply(response, 409, { error: `several chains have a node ${node}: name the chain` })
  const parsed = parseFaultProfile(faultProfile)
  await found[0]?.setFaultProfile(parsed)
  reply(response, 200, { ...(chain === undefined ? {} : { chain }), node, faultProfile: parsed })
}

function listed({ chain, nodes }: Controls): unknown[] {
  return nodes.map((node) => ({
    ...(chain === undefined ? {} : { chain }),
    name: node.name,
    url: node.url,
    faultProfile: node.faultProfile(),
    requests: node.requestsTotal(),
  }))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > bodyBytesMax) throw new Error(`an order has at most ${bodyBytesMax} faultProfiles`)
  }
  return text
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
}
