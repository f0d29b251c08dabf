import { z } from 'zod'
import { answerOf } from './answers.ts'
import type { Attempts } from './attempts.ts'
import { createCspReports } from './csp-reports.ts'
import type { Engine } from './engine.ts'
import { createHealth } from './health.ts'
import { type HostRequest, type HostResponse, json, refuse } from './http.ts'
import { incidentOf } from './incident.ts'
import type { HostCounts } from './observe/host-counts.ts'
import { metricsText, openMetricsText, openMetricsType } from './observe/metrics.ts'
import { rangeFrom, rangeMsMax, stepsMaxMost } from './range.ts'
import type { RefusedOrigins } from './refused-origins.ts'
import { createStreams } from './streams.ts'

/** One of the gateway's own pages. */
export interface View {
  /** Whether only the operator may see it. */
  readonly operator: boolean
  /** Whether it changes something: POST, and from a page of ours. Else GET. */
  readonly changes: boolean
  readonly answer: (request: HostRequest, rest: readonly string[]) => HostResponse | Promise<HostResponse>
}

export interface ViewsOptions {
  readonly streamMsMax: number | null
  readonly controlUrl: string | null
  readonly counts: HostCounts
  readonly attempts: Attempts
  readonly refusedOrigins: RefusedOrigins
}

const answersMax = 1000
const badRange = `from and to must be epoch milliseconds, at most ${rangeMsMax} apart; steps must be integer in [1, ${stepsMaxMost}]`

/** Everything below `/api/rpc` that is not a chain. */
export function createViews(
  engine: Engine,
  { streamMsMax, controlUrl, counts, attempts, refusedOrigins }: ViewsOptions,
): { readonly views: Readonly<Record<string, View>>; readonly closeStreams: () => void } {
  const { gateway } = engine
  const streams = createStreams(() => gateway.snapshot(), streamMsMax)
  const reports = createCspReports(Date.now)
  const health = createHealth(gateway, Date.now)
  const open = { operator: false, changes: false }
  const operator = { operator: true, changes: false }
  const views = {
    ready: {
      ...open,
      answer: () => json(engine.draining() ? 503 : 200, { ready: !engine.draining() }),
    },
    health: { ...open, answer: health },
    snapshot: { ...operator, answer: () => json(200, gateway.snapshot()) },
    events: { ...operator, answer: () => streams.open() },
    metrics: {
      ...operator,
      answer({ header }) {
        const ofHost = [
          ...reports.counters(),
          ...attempts.counters(),
          ...refusedOrigins.counters(),
          ...counts.series(),
        ]
        // Who takes both gets the one that has exemplars.
        const isOpen = (header('accept') ?? '').includes(openMetricsType)
        const body = isOpen
          ? openMetricsText(gateway.snapshot(), ofHost, engine.traced.exemplars)
          : metricsText(gateway.snapshot(), ofHost)
        const type = isOpen ? `${openMetricsType}; version=1.0.0` : 'text/plain; version=0.0.4'
        return { status: 200, headers: { 'content-type': `${type}; charset=utf-8`, vary: 'accept' }, body }
      },
    },
    answers: {
      ...operator,
      answer: ({ query }, [id]) => {
        if (id !== undefined) {
          const certificate = answerOf(engine, id)
          return certificate === null ? refuse(404, 'no such answer') : json(200, certificate)
        }
        const asked = new URLSearchParams(query)
        const most = Number(asked.get('limit') ?? 100)
        if (!Number.isInteger(most) || most < 1 || most > answersMax)
          return refuse(400, `limit must be integer in [1, ${answersMax}]`)
        const only = asked.get('only')
        return json(200, { answers: only === 'disputes' ? gateway.disputes(most) : gateway.answers(most) })
      },
    },
    history: {
      ...operator,
      answer({ query }) {
        const range = rangeFrom(query, Date.now())
        return range === null ? refuse(400, badRange) : json(200, gateway.history(range))
      },
    },
    blocks: { ...operator, answer: () => json(200, { chains: gateway.blocks() }) },
    incident: {
      ...operator,
      answer({ query }) {
        const nowMs = Date.now()
        const range = rangeFrom(query, nowMs)
        if (range === null) return refuse(400, badRange)
        const name = `quorate-incident-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}.json`
        return json(200, incidentOf(gateway, range, nowMs), {
          'content-disposition': `attachment; filename="${name}"`,
        })
      },
    },
    'csp-reports': { operator: false, changes: true, answer: reports.take },
    nodes: {
      operator: true,
      changes: true,
      async answer(request, [chain = '', node = '']) {
        const action = await actionOf(request)
        if (action === null) return refuse(400, 'unknown action')
        if (action.action === 'character') return giveCharacter(controlUrl, chain, node, action.character)
        const done = gateway.cordon(Number(chain), node, action.action === 'cordon', action.by)
        return done ? json(200, { chainId: Number(chain), node, ...action }) : refuse(404, 'no such node')
      },
    },
  } satisfies Record<string, View>
  return { views, closeStreams: streams.close }
}

/** Who does it, as they wish to be named; there is one token for all operators. */
const who = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N} ._@-]{1,64}$/u)
  .optional()
const actions = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('cordon'), by: who }),
  z.strictObject({ action: z.literal('uncordon'), by: who }),
  /** Demo and dev: gives the node a fault, in the words of the demo's nodes. */
  z.strictObject({ action: z.literal('character'), character: z.unknown() }),
])

async function actionOf(request: HostRequest): Promise<z.output<typeof actions> | null> {
  const type = (request.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  const body = await request.body(16_384, 5000)
  if (type !== 'application/json' || 'fault' in body) return null
  try {
    return actions.safeParse(JSON.parse(body.text)).data ?? null
  } catch {
    return null
  }
}

async function giveCharacter(
  controlUrl: string | null,
  chain: string,
  node: string,
  character: unknown,
): Promise<HostResponse> {
  if (controlUrl === null) return refuse(404, 'nodes take a fault under the demo only')
  try {
    const response = await fetch(`${controlUrl.replace(/\/control$/, '')}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chain: Number(chain), node, character }),
      redirect: 'manual',
      signal: AbortSignal.timeout(5000),
    })
    return response.ok
      ? json(200, { chainId: Number(chain), node, action: 'character', character })
      : refuse(response.status === 404 ? 404 : 400, 'the demo did not take it')
  } catch {
    return refuse(502, 'the demo does not answer')
  }
}
