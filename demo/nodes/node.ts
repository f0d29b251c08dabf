import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeServer, listenOn } from '../ports.ts'
import { behaviourOf } from './behaviour.ts'
import type { Answer, Behaviour, DemoRequest } from './demo-call.ts'
import { type FaultProfile, type FaultProfileInput, parseFaultProfile } from './fault-profile.ts'
import { type BodyPacking, packed } from './packing.ts'
import { joined, type Upstream } from './upstream.ts'

/** What takes the place of a fault profile in tests. */
export type Scripted = { readonly kind: 'scripted'; readonly behave: Behaviour }

/** One virtual node: its own port, and a fault profile that can change at any time. */
export type FaultyNode = {
  readonly name: string
  readonly url: string
  faultProfile(): FaultProfile | Scripted
  /** Applies from the next request on. Pending requests keep the old fault profile. */
  setFaultProfile(faultProfile: FaultProfileInput | Scripted): Promise<void>
  /** The number of HTTP requests so far. */
  requestsTotal(): number
  stop(): Promise<void>
}

export type DemoNodeOptions = {
  readonly name: string
  readonly faultProfile?: FaultProfileInput | Scripted
  /** 0, the default, picks a free port. */
  readonly port?: number
  /** The listening address, 127.0.0.1 by default. */
  readonly host?: string
  /** Told of each HTTP request. */
  readonly onRequest?: (request: Omit<DemoRequest, 'respond'>) => void
  /** Compression of its answers, gzip by default. */
  readonly packing?: BodyPacking
}

/** Starts one node in front of a chain. */
export async function startNode(options: DemoNodeOptions, upstream: Upstream): Promise<FaultyNode> {
  const { name, onRequest = () => {}, packing = 'gzip', host = '127.0.0.1' } = options
  let requestsTotal = 0
  const honest = behaviourOf(parseFaultProfile('honest'), upstream, name)
  let faultProfile = faultProfileOf(options.faultProfile ?? 'honest')
  let behave = behaviourFor(faultProfile, upstream, name)

  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, (request, response) => {
    readBody(request, (body) => {
      requestsTotal++
      onRequest({ request, response, body })
      const accepts = String(request.headers['accept-encoding'] ?? '')
      const respond = (answer: Answer) =>
        void packed(answer, { packing, accepts }).then((made) => send(response, made))
      // The target of redirects is honest, so a followed redirect shows up among the requests.
      const serve: Behaviour = request.url === '/elsewhere' ? honest : behave
      new Promise<void>((done) => done(serve({ request, response, body, respond }))).catch((cause: unknown) =>
        respond({ status: 502, body: `the chain behind this node failed: ${String(cause)}` }),
      )
    })
  })
  const close = () => closeServer(server)
  const port = await listenOn(server, { port: options.port ?? 0, host })
  if (faultProfile.kind === 'down') await close()
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    faultProfile: () => faultProfile,
    async setFaultProfile(next) {
      faultProfile = faultProfileOf(next)
      behave = behaviourFor(faultProfile, upstream, name)
      if (faultProfile.kind === 'down') await close()
      else if (!server.listening) await listenOn(server, { port, host })
    },
    requestsTotal: () => requestsTotal,
    stop: close,
  }
}

function faultProfileOf(input: FaultProfileInput | Scripted): FaultProfile | Scripted {
  return typeof input === 'object' && input.kind === 'scripted' ? input : parseFaultProfile(input)
}

function behaviourFor(faultProfile: FaultProfile | Scripted, upstream: Upstream, name: string): Behaviour {
  return faultProfile.kind === 'scripted' ? faultProfile.behave : behaviourOf(faultProfile, upstream, name)
}

function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => done(joined(chunks)))
  request.on('error', () => {})
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed || response.headersSent) return
  // Without a content length the body is chunked.
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}
