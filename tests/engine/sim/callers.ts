import { Abort, type Gateway, type GatewayResponse } from '#rpc-proxy'
import { planted } from '../../support/garbage.ts'
import type { ClientRequest } from './calls.ts'
import type { EventWatch } from './chain-watch.ts'
import { judgeReply } from './judge-reply.ts'
import { downNodes, isVoterAmong } from './node-states.ts'
import type { OpenRequest } from './open-requests.ts'
import { readReplies } from './read-replies.ts'
import type { RunContext } from './run-context.ts'
import { checkOrphans } from './sent-checks.ts'
import type { WorldChain } from './world.ts'

interface CallersOptions {
  readonly gateway: Gateway
  readonly watch: EventWatch
}

/** Sends the requests of callers to the gateway, and judges its responses. */
export class Callers {
  readonly #context: RunContext
  readonly #options: CallersOptions
  /** When the quorum of the first chain was raised, as a sequence number. */
  #reloadedAt = Number.POSITIVE_INFINITY
  /** When the states of a chain's nodes were last looked at while requests waited. */
  readonly #lookedMs = new Map<WorldChain, number>()

  constructor(context: RunContext, options: CallersOptions) {
    this.#context = context
    this.#options = options
  }

  begin(clientRequest: ClientRequest): void {
    const { world, time, network, requests, log, report } = this.#context
    const { chain, malformed, body, leavesMs } = clientRequest
    const open: OpenRequest = {
      clientRequest,
      startMs: time.now(),
      order: network.tick(),
      controller: new Abort(),
      down: new Set(downNodes(this.#options.gateway, chain)),
      hasLeft: false,
    }
    requests.add(open)
    log(`CALL chain ${chain.id} ${malformed?.what ?? body}`)
    if (leavesMs !== null) time.at(time.now() + leavesMs, world.chance.next(), () => this.#leave(open))
    void this.#options.gateway
      .handle({
        method: malformed?.method ?? 'POST',
        path: malformed?.path ?? `/api/rpc/${chain.id}`,
        header: (name) => headerOf(clientRequest, name),
        body: () => Promise.resolve(malformed?.body ?? { text: body }),
        caller: world.settings.costPerMinute === null ? `192.0.2.${open.order % 3}` : 'caller',
        origin: null,
        signal: open.controller,
      })
      .then(
        (response) => this.#end(open, response),
        (error: unknown) => report('S4', `handle() rejected: ${String(error)}`),
      )
  }

  reloaded(): void {
    this.#reloadedAt = this.#context.network.tick()
  }

  /** A node that is usable now, when something is sent, has not been down all the time: limits of rates pass without an event. */
  sent(chain: WorldChain): void {
    const waiting = this.#context.requests
      .list()
      .filter(({ clientRequest, down }) => clientRequest.chain === chain && down.size > 0)
    const nowMs = this.#context.time.now()
    // Within a millisecond a node becomes usable only with an event.
    if (waiting.length === 0 || this.#lookedMs.get(chain) === nowMs) return
    this.#lookedMs.set(chain, nowMs)
    const downNow = downNodes(this.#options.gateway, chain)
    for (const { down } of waiting) for (const name of down) if (!downNow.has(name)) down.delete(name)
  }

  #leave(open: OpenRequest): void {
    const { time, requests, note, log } = this.#context
    if (!requests.has(open)) return
    open.hasLeft = true
    note('caller: left')
    log(`LEAVES ${open.clientRequest.body}`)
    open.controller.abort()
    time.settle()
    checkOrphans(this.#context)
  }

  #end(open: OpenRequest, response: GatewayResponse): void {
    const { world, time, network, requests, log, report } = this.#context
    const { clientRequest } = open
    requests.end(open)
    log(`ENDS ${response.status} ${response.body.slice(0, 400)} ${JSON.stringify(response.headers)}`)
    if (response.body.includes(planted)) report('S15', `a secret left: ${response.body.slice(0, 300)}`)
    requests.ended(open, network.tick())
    if (open.hasLeft || this.#isRefused(open, response)) return
    if (clientRequest.malformed !== null) {
      this.#checkMalformed(clientRequest.malformed, response)
      return
    }
    if (time.now() >= world.endMs) return
    const { gateway, watch } = this.#options
    const downNow = open.down.size > 0 ? downNodes(gateway, clientRequest.chain) : open.down
    const isVoterDown = isVoterAmong(clientRequest.chain, (name) => open.down.has(name) && downNow.has(name))
    for (const [entry, reply] of readReplies(clientRequest, response, report) ?? [])
      judgeReply(this.#context, watch, {
        open,
        entry,
        reply,
        isVoterDown,
        reloadedAt: this.#reloadedAt,
        certificateOf: gateway.certificate,
      })
    // Events of the same millisecond may still belong to the response.
    time.at(time.now(), 0, () => checkOrphans(this.#context))
  }

  #checkMalformed(
    { what, status, code }: NonNullable<ClientRequest['malformed']>,
    response: GatewayResponse,
  ) {
    this.#context.note(`error: ${code}`)
    if (response.status !== status || !response.body.includes(`"code":${code},`))
      this.#context.report('S4', `${what} led to ${response.status} ${response.body.slice(0, 200)}`)
  }

  /** Refused by a limit, a spent budget or a closing gateway. It must come at once (S12). */
  #isRefused(open: OpenRequest, { status, body }: GatewayResponse): boolean {
    const { world, time, requests, note, report } = this.#context
    const { costPerMinute, inFlightMax } = world.settings
    if (status !== 503 && status !== 429) return false
    const isDue =
      status === 429
        ? costPerMinute !== null || inFlightMax <= 4 * requests.size
        : open.startMs >= world.endMs || inFlightMax <= requests.size
    note('error: -32005')
    if (!isDue) report('S12', `refused without need: ${body}`)
    if (time.now() !== open.startMs && status === 503) report('S12', 'refused late')
    return true
  }
}

function headerOf(
  { malformed, explained, isProtected, isBridge }: ClientRequest,
  name: string,
): string | null {
  if (name === 'content-type') return malformed === null ? 'application/json' : malformed.contentType
  if (name === 'x-quorate-protect') return isBridge ? 'bridge' : isProtected ? '1' : null
  return name === 'x-quorate-explain' && explained ? '1' : null
}
