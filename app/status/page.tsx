import type { Metadata } from 'next'
import { env } from '#lib/config/env.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import {
  readBlocks,
  readDisputes,
  readHistory,
  readReplicas,
  readSnapshot,
  readUsage,
} from '#lib/engine/engine-reads.ts'
import type { OperatorVerdict } from '#lib/operator/operator.ts'
import { defer } from '#lib/page/defer.ts'
import type { Figures } from '#lib/page/format.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { scorecardTexts } from '#lib/page/texts/scorecard.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { gatherHealth } from '#lib/reads/gather-figures.ts'
import { boundsOf, type TimeRange, timeRangeFrom } from '#lib/status/time-range.ts'
import { features } from '#site'
import page from '../_ui/page.module.css'
import { PageLink } from '../_ui/page-link.tsx'
import { AutoRefresh } from './_status/auto-refresh.tsx'
import { CallerTable } from './_status/caller-table.tsx'
import { ChainNodes } from './_status/chain-nodes.tsx'
import { Disputes } from './_status/disputes.tsx'
import { HistoryChart } from './_status/history-chart.tsx'
import { LatePart } from './_status/late-part.tsx'
import { type LoginError, LoginForm, LogoutForm } from './_status/login-form.tsx'
import { PublicHealth } from './_status/public-health.tsx'
import styles from './_status/status.module.css'
import { Summary } from './_status/summary.tsx'
import { TimeRangeNav } from './_status/time-range-nav.tsx'
import { chainName, readViewer } from './_status/viewer.ts'

export const metadata: Metadata = { title: statusTexts.title }

const healthWithinMs = 3000
/** The tables are read without a script too, and the edge host asks for them over HTTP. */
const firstByteWithinMs = 1000

type StatusPageProps = { readonly searchParams: Promise<Readonly<Record<string, unknown>>> }

/** The number of chart steps: ten seconds each over a quarter of an hour. */
const stepsMax = 90
const disputesMax = 10
const dayMs = 86_400_000

export default async function StatusPage({ searchParams }: StatusPageProps) {
  const { verdict, cookie, figures } = await readViewer()
  const query = await searchParams
  const error = loginErrorOf(query.login)
  const timeRange = timeRangeFrom(query)
  const seen = await defer(check(cookie, timeRange), firstByteWithinMs)
  const show = (it: Seen) => <Nodes seen={it} verdict={verdict} error={error} figures={figures} />
  return (
    <>
      <section className={styles.top}>
        <h1 className={page.title}>{statusTexts.title}</h1>
        <p>{statusTexts.story}</p>
        <div className={styles.tools}>
          {cookie !== null && <PageLink href="/status/scorecard">{scorecardTexts.title}</PageLink>}
          {features.console && <PageLink href="/console">{statusTexts.console}</PageLink>}
          <AutoRefresh hasForm={cookie === null} />
        </div>
      </section>
      <LatePart isLate={'later' in seen} fallback={<p data-streamed>{chainTexts.waiting}</p>}>
        {'now' in seen ? show(seen.now) : seen.later.then(show)}
      </LatePart>
    </>
  )
}

type Seen = Awaited<ReturnType<typeof check>>

async function check(cookie: string | null, timeRange: TimeRange) {
  // Health first: it refreshes old heads, which the snapshot then shows.
  const report = await gatherHealth(healthWithinMs)
  return {
    report,
    operatorView: cookie === null ? ('refused' as const) : await readOperatorView(cookie, timeRange),
  }
}

/** Data of the operator's part of the page. */
async function readOperatorView(cookie: string, timeRange: TimeRange) {
  const snapshot = await readSnapshot(cookie)
  if (snapshot === null || snapshot === 'refused') return snapshot
  const nowMs = Math.floor(snapshot.atMs)
  const day = await readHistory({ fromMs: nowMs - dayMs, toMs: nowMs, stepsMax: 24 }, cookie)
  if (day === null || day === 'refused') return day
  const bounds = boundsOf(timeRange, nowMs, day.sinceMs)
  const [history, blocks, disputes, replicas, usage] = await Promise.all([
    readHistory({ ...bounds, stepsMax }, cookie),
    readBlocks(cookie),
    readDisputes(disputesMax, cookie),
    readReplicas(cookie),
    readUsage(cookie),
  ])
  if (history === 'refused' || blocks === 'refused' || disputes === 'refused') return 'refused'
  if (history === null || blocks === null || disputes === null) return null
  return {
    snapshot,
    timeRange,
    history,
    day,
    blocks: new Map(blocks.chains.map((chain) => [chain.chainId, chain.blocks])),
    disputes: disputes.answers,
    // Null where no caller has a key.
    usage: usage === null || usage === 'refused' || usage.callers.length === 0 ? null : usage,
    // None where this process is alone. A gateway of an older version does not know of any.
    replicas: replicas === null || replicas === 'refused' ? [] : replicas.replicas,
  }
}

interface NodesProps {
  readonly seen: Seen
  readonly verdict: OperatorVerdict
  readonly error: LoginError | null
  readonly figures: Figures
}

function Nodes({ seen: { report, operatorView }, verdict, error, figures }: NodesProps) {
  if (operatorView === 'refused') {
    return (
      <>
        <PublicHealth chains={chains()} report={report} />
        {verdict !== 'hidden' && <LoginForm error={error} />}
      </>
    )
  }
  return (
    <>
      {verdict === 'yes' && <LogoutForm />}
      {operatorView === null ? (
        <p className={styles.unreachable}>{statusTexts.unreachable}</p>
      ) : (
        <>
          <Summary chains={operatorView.snapshot.chains} />
          {operatorView.replicas.length > 0 && (
            <p>{statusTexts.replicas(operatorView.replicas, figures.block)}</p>
          )}
          <TimeRangeNav
            timeRange={operatorView.timeRange}
            nowMs={operatorView.snapshot.atMs}
            incident={env().GATEWAY_URL === undefined}
          />
          {operatorView.snapshot.chains.map((chain) => (
            <ChainNodes
              key={chain.chainId}
              chain={chain}
              name={chainName(chain.chainId)}
              figures={figures}
              atMs={operatorView.snapshot.atMs}
              actions={env().GATEWAY_URL === undefined}
              faults={env().DEMO_CONTROL_URL !== undefined}
            >
              <HistoryChart
                name={chainName(chain.chainId)}
                snapshot={chain}
                history={operatorView.history}
                day={operatorView.day}
                blocks={operatorView.blocks.get(chain.chainId) ?? []}
                figures={figures}
              />
            </ChainNodes>
          ))}
          {operatorView.usage !== null && <CallerTable usage={operatorView.usage} figures={figures} />}
          <Disputes disputes={operatorView.disputes} />
        </>
      )}
    </>
  )
}

function loginErrorOf(login: unknown): LoginError | null {
  return login === 'wrong' || login === 'later' ? login : null
}
