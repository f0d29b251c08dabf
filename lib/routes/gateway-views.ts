import { type Gateway, systemClock } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import { usageSeries } from '../engine/caller-usage.ts'
import type { Engine } from '../engine/engine.ts'
import { type HostRequest, type HostResponse, json, refuse } from '../http.ts'
import type { HostCounts } from '../observe/host-counts.ts'
import type { LogWriter } from '../observe/line.ts'
import { metricsText, openMetricsType } from '../observe/metrics.ts'
import { isOperator, type OperatorSettings, operatorFrom } from '../operator/operator.ts'
import { createCspReports } from './csp-reports.ts'
import { createPublicEvidence, type EvidenceSettings } from './evidence-route.ts'
import { actOnNode } from './node-actions.ts'
import { createPageErrorReports } from './page-errors.ts'
import { rangeFrom, rangeMsMax, stepsMaxMost } from './range.ts'
import { createStreams } from './streams.ts'
import { answerScorecard, answerUsage } from './tables.ts'

/** A route of the gateway that is not JSON-RPC. */
export interface RouteView {
  /** Only the operator may see it. */
  readonly operator: boolean
  /** It changes something: POST, and only from our own pages. Otherwise GET. */
  readonly changes: boolean
  readonly answer: (request: HostRequest, rest: readonly string[]) => HostResponse | Promise<HostResponse>
}

export interface ViewsOptions {
  readonly env: EvidenceSettings & OperatorSettings & Pick<Env, 'DEMO_CONTROL_URL'>
  /** The build of the pages beside these routes; null where there are none. */
  readonly build: string | null
  /** Longest duration of an event stream; null for no limit. */
  readonly streamMsMax: number | null
  /** The host's own metrics. */
  readonly counts: HostCounts
  /** For errors of pages, and for logins, refused tokens and refused origins. */
  readonly log: LogWriter
  /** The name of this process among others, on every metric; null for none. */
  readonly replica: string | null
}

/** Everything below `/api/rpc` except the chains. */
export function createViews(
  engine: Engine,
  { env, build, streamMsMax, counts, log, replica }: ViewsOptions,
): { readonly views: Readonly<Record<string, RouteView>>; readonly closeStreams: () => void } {
  const { gateway } = engine
  const { now } = systemClock()
  const streams = createStreams(() => gateway.snapshot(), streamMsMax)
  const publicEvidence = createPublicEvidence(engine, { build, evidence: env, counts })
  const hostMetrics = () => ({
    series: [...counts.series(), ...usageSeries(gateway)],
    labels: replica === null ? {} : { replica },
  })
  const views = {
    /** 200 while the process answers. */
    live: everyone(() => json(200, { live: true })),
    /** 200, or 503 while draining, whatever nodes do. */
    ready: everyone(() => json(engine.draining() ? 503 : 200, { ready: !engine.draining() })),
    /** Status, head, `ageMs`, `blockAgeMs` by chain; 503 when all are down. */
    health: everyone(engine.health),
    /** The state. */
    snapshot: operatorOnly(() => json(200, gateway.snapshot())),
    /** The state each second, as server-sent events; 32 streams at most. A log-out ends them. */
    events: operatorOnly(({ header }) => streams.open(() => isOperator(operatorFrom(header, env)))),
    /** Prometheus or OpenMetrics text. */
    metrics: operatorOnly(({ header }) => metrics(engine, hostMetrics(), header('accept') ?? '')),
    /** Certificates, `?limit=100&only=disputes`; one by `/{id}`; for everyone `/{id}/evidence`, unless `PUBLIC_EVIDENCE=0`. */
    answers: operatorOnly(({ query }, [id]) =>
      id === undefined ? answers(gateway, query) : answer(engine, id),
    ),
    'answers/evidence': everyone(publicEvidence.certificate),
    /** With which keys certificates are signed; also `/.well-known/quorate.json`. */
    keys: everyone(publicEvidence.keys),
    /** Sums by chain and node, `?from=&to=&steps=120`: epoch milliseconds, up to a day, by default an hour; 720 steps of 10 s or more. */
    history: operatorOnly(({ query }) => history(gateway, query)),
    /** What callers with keys use, `?by=day` or `month`, `&format=csv`: 62 days, of all processes where there is Redis. */
    usage: operatorOnly(({ query }) => answerUsage(gateway, query)),
    /** How nodes and operators compare, `?last=24h`, `7d` or `30d`, `&format=csv`: of all processes where there is Redis. */
    scorecard: operatorOnly(({ query }) => answerScorecard(gateway, query)),
    /** All processes with one `REDIS_URL`. */
    replicas: operatorOnly(async () => json(200, { replicas: (await engine.replicas?.()) ?? [] })),
    /** The last 100 of each chain: which node showed them when. */
    blocks: operatorOnly(() => json(200, { chains: gateway.blocks() })),
    /** Snapshot, history, blocks and certificates as one file, `?from=&to=`, without URLs or keys. */
    incident: operatorOnly(({ query }) => incident(gateway, query)),
    /** Errors of our pages in browsers. */
    'page-errors': { operator: false, changes: true, answer: createPageErrorReports(log, now) },
    /** Violations of the pages' policy. */
    'csp-reports': { operator: false, changes: true, answer: createCspReports(counts, now) },
    /** `/{chainId}/{name}` with `{"action":"cordon","by":"Ana"}`, kept through reloads and told to all replicas, or `{"action":"uncordon"}`. */
    nodes: {
      operator: true,
      changes: true,
      answer: (request, rest) => actOnNode(request, rest, engine.cordon, env.DEMO_CONTROL_URL),
    },
  } satisfies Record<string, RouteView>
  return { views, closeStreams: streams.close }
}

const everyone = (answer: RouteView['answer']): RouteView => ({ operator: false, changes: false, answer })
const operatorOnly = (answer: RouteView['answer']): RouteView => ({ operator: true, changes: false, answer })

function metrics(engine: Engine, ofHost: Parameters<typeof metricsText>[1], accept: string): HostResponse {
  const snapshot = engine.gateway.snapshot()
  // A scraper that accepts both formats gets OpenMetrics, which has exemplars.
  const isOpen = accept.includes(openMetricsType)
  const body = metricsText(snapshot, { ...ofHost, ...(isOpen && { exemplars: engine.traced.exemplars }) })
  const type = isOpen ? `${openMetricsType}; version=1.0.0` : 'text/plain; version=0.0.4'
  return { status: 200, headers: { 'content-type': `${type}; charset=utf-8`, vary: 'accept' }, body }
}

async function answer(engine: Engine, id: string): Promise<HostResponse> {
  const certificate = await engine.certificate(id)
  return certificate === null ? refuse(404, 'no such answer') : json(200, certificate)
}

const answersMax = 1000

function answers(gateway: Gateway, query: string): HostResponse {
  const params = new URLSearchParams(query)
  const limit = Number(params.get('limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > answersMax)
    return refuse(400, `limit must be integer in [1, ${answersMax}]`)
  const isDisputes = params.get('only') === 'disputes'
  return json(200, { answers: isDisputes ? gateway.disputes(limit) : gateway.certificates(limit) })
}

const badRange = refuse(
  400,
  `from and to must be epoch milliseconds, at most ${rangeMsMax} apart; steps must be integer in [1, ${stepsMaxMost}]`,
)

function history(gateway: Gateway, query: string): HostResponse {
  const range = rangeFrom(query, Date.now())
  return range === null ? badRange : json(200, gateway.history(range))
}

/** Of each list in the report of an incident; a certificate has a few kilobytes. */
const reportAnswersMax = 200

function incident(gateway: Gateway, query: string): HostResponse {
  const nowMs = Date.now()
  const range = rangeFrom(query, nowMs)
  if (range === null) return badRange
  const name = `quorate-incident-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}.json`
  const report = {
    ...{ kind: 'quorate-incident', version: 1, madeAt: new Date(nowMs).toISOString() },
    ...{ snapshot: gateway.snapshot(), history: gateway.history(range), blocks: gateway.blocks() },
    disputes: gateway.disputes(reportAnswersMax, range),
    answers: gateway.certificates(reportAnswersMax, range),
  }
  return json(200, report, { 'content-disposition': `attachment; filename="${name}"` })
}
