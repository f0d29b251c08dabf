import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { behaviourOf } from './behaviour.ts'
import type { Answer, Behaviour } from './demo-call.ts'
import { type FaultProfile, type FaultProfileInput, parseFaultProfile } from './fault-profile.ts'
import { type BodyPacking, packed } from './packing.ts'
import { createRecord, type Recorded } from './record.ts'
import type { World } from './responders.ts'
import { play, type Scripted } from './scripted.ts'
import { joined } from './upstream.ts'

/** One virtual node: its own port, a fault profile that can change at any time, and a record of its requests. */
export type FaultyNode = {
  readonly name: string
  readonly url: string
  faultProfile(): FaultProfile | Scripted
  /** Applies from the next request on. Pending requests keep the old fault profile. */
  setFaultProfile(faultProfile: FaultProfileInput | Scripted): Promise<void>
  /** The last HTTP requests, oldest first. */
  requests(): readonly Recorded[]
  /** The number of calls in the recorded requests, of one method or of all. Each call of a batch counts. */
  callCount(method?: string): number
  /** The number of HTTP requests, recorded or not. */
  requestsTotal(): number
  clearRequests(): void
  stop(): Promise<void>
}

export type DemoNodeOptions = {
  readonly name: string
  readonly faultProfile?: FaultProfileInput | Scripted
  /** 0, the default, picks a free port. */
  readonly port?: number
  /** The listening address, 127.0.0.1 by default. */
  readonly host?: string
  /** Maximum number of recorded requests. */
  readonly requestsMax?: number
  /** Compression of its answers, gzip by default. */
  readonly packing?: BodyPacking
}

/** Starts one node in front of the chain of a world. */
export async function startNode(options: DemoNodeOptions, world: World): Promise<FaultyNode> {
  const { name, requestsMax = 10_000, packing = 'gzip', host = '127.0.0.1' } = options
  const record = createRecord(requestsMax)
  const honest = behaviourOf(parseFaultProfile('honest'), world, name)
  let faultProfile = faultProfileOf(options.faultProfile ?? 'honest')
  let behave = behaviourFor(faultProfile, world, name)

  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, (request, response) => {
    readBody(request, (body) => {
      const settle = record.add({
        verb: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
      })
      response.once('close', () => settle(response.writableFinished ? 'answered' : 'aborted'))
      const accepts = String(request.headers['accept-encoding'] ?? '')
      const respond = (answer: Answer) =>
        void packed(answer, { packing, accepts }).then((made) => send(response, made))
      // The target of redirects is honest, so a followed redirect shows up in the record.
      const serve: Behaviour = request.url === '/elsewhere' ? honest : behave
      new Promise<void>((done) => done(serve({ request, response, body, respond }))).catch((cause: unknown) =>
        respond({ status: 502, body: `the chain behind this node failed: ${String(cause)}` }),
      )
    })
  })
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => {
        server.off('error', reject)
        resolve((server.address() as AddressInfo).port)
      })
    })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })

  const port = await listen(options.port ?? 0)
  if (faultProfile.kind === 'down') await close()
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    faultProfile: () => faultProfile,
    async setFaultProfile(next) {
      faultProfile = faultProfileOf(next)
      behave = behaviourFor(faultProfile, world, name)
      if (faultProfile.kind === 'down') await close()
      else if (!server.listening) await listen(port)
    },
    requests: () => record.requests(),
    callCount(method) {
      const calls = record.requests().flatMap((request) => request.calls)
      return method === undefined ? calls.length : calls.filter((call) => call.method === method).length
    },
    requestsTotal: () => record.count(),
    clearRequests: () => record.clear(),
    stop: close,
  }
}

function faultProfileOf(input: FaultProfileInput | Scripted): FaultProfile | Scripted {
  return typeof input === 'object' && input.kind === 'scripted' ? input : parseFaultProfile(input)
}

function behaviourFor(faultProfile: FaultProfile | Scripted, world: World, name: string): Behaviour {
  return faultProfile.kind === 'scripted' ? play(faultProfile) : behaviourOf(faultProfile, world, name)
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
