import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { Suspense } from 'react'
import { env } from '#lib/config/env.ts'
import { chains } from '#lib/engine/chain-facts.ts'
import {
  type Certificate,
  type ChainSnapshot,
  type History,
  type Read,
  readBlocks,
  readDisputes,
  readHistory,
  readSnapshot,
  type SeenBlock,
  type Snapshot,
} from '#lib/engine/engine-reads.ts'
import { type OperatorVerdict, operatorBySession } from '#lib/operator/operator.ts'
import { operatorCookies } from '#lib/operator/operator-session.ts'
import { createFigures, type Figures, numberMarks } from '#lib/page/format.ts'
import type { Healths } from '#lib/page/healths.ts'
import { soon } from '#lib/page/soon.ts'
import { consoleTexts } from '#lib/page/texts/console.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import { gatherHealths } from '#lib/reads/gather-figures.ts'
import { boundsOf, type Stretch, stretchFrom } from '#lib/status/stretch.ts'
import { isWitness } from '#lib/status/sync.ts'
import { PageLink } from '../_ui/page-link.tsx'
import { AutoRefresh } from './_status/auto-refresh.tsx'
import { ChainBoard } from './_status/chain-board.tsx'
import { ChainNodes } from './_status/chain-nodes.tsx'
import { Disputes } from './_status/disputes.tsx'
import { LoginForm, type LoginProblem } from './_status/login-form.tsx'
import { LogoutForm } from './_status/logout-form.tsx'
import { PublicHealth } from './_status/public-health.tsx'
import styles from './_status/status.module.css'
import { StretchNav } from './_status/stretch-nav.tsx'
import { Summary } from './_status/summary.tsx'

export const metadata: Metadata = { title: statusTexts.title }

const healthWithinMs = 3000

type StatusPageProps = { readonly searchParams: Promise<Readonly<Record<string, unknown>>> }

/** The number of chart steps: ten seconds each over a quarter of an hour. */
const stepsMax = 90
const chartMsMin = 180_000
const disputesMax = 10
const dayMs = 86_400_000

export default async function StatusPage({ searchParams }: StatusPageProps) {
  const given = await headers()
  const cookies = given.get('cookie') ?? ''
  const figures = createFigures(numberMarks(given.get('accept-language')))
  const verdict = operatorBySession(cookies)
  const asked = await searchParams
  const problem = problemOf(asked.login)
  const stretch = stretchFrom(asked)
  const seen = await soon(look(cookies, verdict === 'open' || verdict === 'yes', stretch))
  const show = (it: Seen) => <Nodes seen={it} verdict={verdict} problem={problem} figures={figures} />
  return (
    <>
      <section className={styles.top}>
        <h1>{statusTexts.title}</h1>
        <p>{statusTexts.story}</p>
        <div className={styles.tools}>
          <PageLink href="/console">{consoleTexts.title}</PageLink>
          <AutoRefresh />
        </div>
      </section>
      <Suspense fallback={<p data-streamed>{statusTexts.looking}</p>}>
        {'now' in seen ? show(seen.now) : seen.later.then(show)}
      </Suspense>
    </>
  )
}

interface Seen {
  readonly healths: Healths
  readonly board: Board | 'refused' | null
}

/** Data of the operator's part of the page. */
interface Board {
  readonly snapshot: Snapshot
  readonly stretch: Stretch
  readonly history: History
  /** The last day in steps of an hour. */
  readonly day: History
  readonly blocks: ReadonlyMap<number, readonly SeenBlock[]>
  readonly disputes: readonly Certificate[]
}

async function look(cookies: string, isOperator: boolean, stretch: Stretch): Promise<Seen> {
  // Health first: it refreshes old heads, which the snapshot then shows.
  const healths = await gatherHealths(healthWithinMs)
  return { healths, board: isOperator ? await readBoard(operatorCookies(cookies), stretch) : 'refused' }
}

async function readBoard(cookie: string, stretch: Stretch): Promise<Read<Board>> {
  const snapshot = await readSnapshot(cookie)
  if (snapshot === null || snapshot === 'refused') return snapshot
  const nowMs = Math.floor(snapshot.atMs)
  const bounds = boundsOf(stretch, nowMs)
  // There is no data before the start, so the charts begin there once they are minutes long.
  const startMs = Math.min(Math.floor(snapshot.startedMs), nowMs - chartMsMin)
  const fromMs = 'last' in stretch ? Math.max(bounds.fromMs, startMs) : bounds.fromMs
  const [history, day, blocks, disputes] = await Promise.all([
    readHistory({ fromMs, toMs: bounds.toMs, stepsMax }, cookie),
    readHistory({ fromMs: nowMs - dayMs, toMs: nowMs, stepsMax: 24 }, cookie),
    readBlocks(cookie),
    readDisputes(disputesMax, cookie),
  ])
  if (history === 'refused' || day === 'refused' || blocks === 'refused' || disputes === 'refused')
    return 'refused'
  if (history === null || day === null || blocks === null || disputes === null) return null
  return {
    snapshot,
    stretch,
    history,
    day,
    blocks: new Map(blocks.chains.map((chain) => [chain.chainId, chain.blocks])),
    disputes: disputes.answers,
  }
}

interface NodesProps {
  readonly seen: Seen
  readonly verdict: OperatorVerdict
  readonly problem: LoginProblem | null
  readonly figures: Figures
}

function Nodes({ seen: { healths, board }, verdict, problem, figures }: NodesProps) {
  const facts = chains()
  if (board === 'refused') {
    return (
      <>
        <PublicHealth chains={facts} healths={healths} />
        {verdict !== 'hidden' && <LoginForm problem={problem} />}
      </>
    )
  }
  return (
    <>
      {verdict === 'yes' && <LogoutForm />}
      {board === null ? (
        <p className={styles.unreachable}>{statusTexts.unreachable}</p>
      ) : (
        <>
          <Summary chains={board.snapshot.chains} facts={facts} />
          <StretchNav
            stretch={board.stretch}
            nowMs={board.snapshot.atMs}
            incident={env().GATEWAY_URL === undefined}
          />
          {board.snapshot.chains.map((chain) => (
            <ChainNodes
              key={chain.chainId}
              chain={chain}
              facts={facts.find(({ id }) => id === chain.chainId)}
              figures={figures}
              atMs={board.snapshot.atMs}
              actions={env().GATEWAY_URL === undefined}
              faults={env().DEMO_CONTROL_URL !== undefined}
            >
              <ChainPast board={board} chain={chain} figures={figures} />
            </ChainNodes>
          ))}
          <Disputes disputes={board.disputes} facts={facts} />
        </>
      )}
    </>
  )
}

function ChainPast({ board, chain, figures }: { board: Board; chain: ChainSnapshot; figures: Figures }) {
  const { chainId, nodes } = chain
  const of = (history: History) => history.chains.find((each) => each.chainId === chainId)
  const past = of(board.history)
  if (past === undefined) return null
  return (
    <ChainBoard
      name={chains().find(({ id }) => id === chainId)?.name ?? String(chainId)}
      history={board.history}
      chain={past}
      day={of(board.day)}
      nodes={nodes.map(({ name }) => name)}
      voters={nodes.filter((node) => !isWitness(node)).map(({ name }) => name)}
      blocks={board.blocks.get(chainId) ?? []}
      figures={figures}
    />
  )
}

function problemOf(login: unknown): LoginProblem | null {
  return login === 'wrong' || login === 'later' ? login : null
}
