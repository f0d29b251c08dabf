import { QueryObserver } from '@tanstack/react-query'
import type { ChainFacts } from '#lib/chains.ts'
import { tabQueries } from '#lib/wallet/queries.ts'
import { ask } from './ask.ts'
import { cardQuestions } from './card-questions.ts'
import type { ChainView } from './chain-view.ts'
import { formatTime } from './format.ts'
import { decodeHealths, type Healths } from './healths.ts'
import { keepQueries } from './keep.ts'
import { type Reading, type Refusal, waiting } from './reading.ts'
import { type ChainState, type Shown, shown } from './shown.ts'
import type { Soon } from './soon.ts'

const pollMs = 4000
const healthPollMs = 8000

export interface Watched {
  readonly chains: readonly ChainFacts[]
  readonly gateway: string
  readonly address: string | undefined
  /** What the server read for this address. */
  readonly views: Readonly<Record<number, Soon<ChainView>>>
  readonly tellChain: (chainId: number, state: ChainState) => void
  readonly tellHealths: (healths: Healths) => void
}

interface Agreed {
  readonly head: Reading
  readonly balance: Reading | null
}

/** Thrown in the query function, so that the query keeps its last agreed data next to the error. */
class Refused extends Error {
  readonly why: Refusal

  constructor(why: Refusal) {
    super(why)
    this.why = why
  }
}

/** Polls every chain for its head and the address's balance. Returns a function that stops it. */
export function watch(watched: Watched): () => void {
  keepQueries(tabQueries())
  const stops = [...watched.chains.map(({ id }) => watchChain(id, watched)), watchHealths(watched)]
  return () => {
    for (const stop of stops) stop()
  }
}

function watchChain(chainId: number, { gateway, address, views, tellChain }: Watched): () => void {
  const queries = tabQueries()
  const queryKey = ['chain', chainId, address ?? null]
  const keepPainted = (view: ChainView) => {
    if (isAgreed(view, address)) queries.setQueryData<Agreed>(queryKey, (known) => known ?? view)
  }
  const painted = views[chainId]
  if (painted && 'now' in painted) keepPainted(painted.now)
  else void painted?.later.then(keepPainted)
  const observer = new QueryObserver<Agreed>(queries, {
    queryKey,
    queryFn: ({ signal }) => look(gateway, chainId, address, signal),
    refetchInterval: pollMs,
    structuralSharing: true,
  })
  return observer.subscribe(({ data, dataUpdatedAt, error }) => {
    const refusal: Reading | null = error
      ? { state: 'refused', why: error instanceof Refused ? error.why : 'unreachable', answer: null }
      : null
    // Restored from an earlier visit: shown as known, not as currently agreed.
    const earlier = dataUpdatedAt < performance.timeOrigin ? waiting : null
    const instead = refusal ?? earlier
    if (!data && !refusal) return
    const show = (reading: Reading | null | undefined): Shown =>
      instead ? shown(instead, reading ? shown(reading).known : null) : shown(reading as Reading)
    tellChain(chainId, {
      head: show(data?.head),
      balance: address ? show(data?.balance) : null,
      since: refusal && data ? formatTime(dataUpdatedAt) : null,
    })
  })
}

async function look(
  gateway: string,
  chainId: number,
  address: string | undefined,
  signal: AbortSignal,
): Promise<Agreed> {
  const readings = await ask(gateway, chainId, cardQuestions(address), signal)
  for (const reading of readings) if (reading.state === 'refused') throw new Refused(reading.why)
  return { head: readings[0] as Reading, balance: readings[1] ?? null }
}

function watchHealths({ gateway, tellHealths }: Watched): () => void {
  const observer = new QueryObserver<Healths>(tabQueries(), {
    queryKey: ['health'],
    queryFn: async ({ signal }) =>
      decodeHealths(await (await fetch(`${gateway}/api/rpc/health`, { signal, cache: 'no-store' })).json()),
    refetchInterval: healthPollMs,
  })
  return observer.subscribe(({ data }) => data && tellHealths(data))
}

function isAgreed(view: ChainView, address: string | undefined): boolean {
  return view.head.state === 'agreed' && (!address || view.balance?.state === 'agreed')
}
