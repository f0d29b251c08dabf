import type { ChainSnapshot, NodeSnapshot, ReplicaReport } from '#lib/engine/engine-reads.ts'
import { ago, dayTime } from '#lib/page/format.ts'
import { sentence } from '../sentence.ts'

const nodeStates = {
  usable: 'voting',
  standby: 'standing by',
  dissenting: 'disagrees',
  open: 'failing',
  'half-open': 'being retried',
  'rate-limited': 'rate-limited, asked last',
  behind: 'stays behind, asked last',
  ejected: 'ejected, asked last',
  cordoned: 'cordoned',
} as const

export const statusTexts = {
  title: 'Status',
  story: 'Which nodes are asked, how they answer, and which of them disagree.',
  operatorOnly: 'Names, votes and faults of the nodes are for operators. This is what everyone may see.',
  /** Of its own, because a fork may delete the console. */
  console: 'Console',
  unreachable: 'The gateway does not answer. This page keeps asking.',
  refreshes: 'Refreshes every 4 seconds',
  paused: 'Paused',
  pause: 'Pause',
  resume: 'Resume',
  login: 'Operator token',
  loginAction: 'Log in',
  loginProblems: {
    wrong: 'That token is not the right one.',
    later: 'That token is not the right one. Too many wrong tokens were tried in the last minute.',
  },
  logout: 'Log out',
  callers: {
    title: 'Callers with keys',
    table: 'Table of callers with keys',
    columns: ['Caller', 'Units this month', 'Monthly limit', 'Calls', 'Cache hits', 'Errors'],
  },
  /** Of several processes: which one this page shows, and the sums over all. */
  replicas: ([own, ...others]: readonly ReplicaReport[], figure: (value: number) => string) => {
    const all = [...(own === undefined ? [] : [own]), ...others]
    const sum = (of: (report: ReplicaReport) => number) =>
      figure(all.reduce((total, each) => total + of(each), 0))
    if (own?.isJoined === false)
      return `This is ${own.replica}. It hears no other replica, because it cannot reach Redis: until it can, callers' budgets, cordons and log-outs are its own.`
    const names = others.map(({ replica }) => replica).join(', ') || 'none'
    return `This is ${own?.replica}, one of ${all.length} replicas; the others: ${names}. Together ${sum(({ calls }) => calls)} calls since they started, ${sum(({ requests }) => requests)} requests in flight.`
  },
  agreedHead: 'Agreed head',
  /** The head of protected calls, “protected 81,234,567”. */
  protectedHead: (block: string) => `protected ${block}`,
  noHead: 'no head yet',
  checkedAgo: (ageMs: number) => `checked ${(ageMs / 1000).toFixed(1)} s ago`,
  blockAge: (ms: number) => `block ${ago(ms)} old`,
  usable: (usable: string, total: string) => `${usable} of ${total} can vote`,
  /** “4 voting · 1 failing · 3 standing by” */
  nodes: (states: readonly (keyof typeof nodeStates)[]) =>
    [...new Set(states)]
      .map((state) => `${states.filter((each) => each === state).length} ${nodeStates[state]}`)
      .join(' · '),
  charts: 'Charts',
  table: (chain: string) => `Nodes of ${chain}`,
  chain: { ok: 'healthy', degraded: 'degraded', down: 'down', unknown: 'not checked yet' },
  summary: 'Summary',
  /** “3 of 3 operators in sync, 41 ms p50” */
  sync: (inSync: number, operators: number, p50: string | null) =>
    sentence`${inSync} of ${operators} operators in sync` + (p50 === null ? '' : sentence`, ${`${p50} p50`}`),
  /** The state of a node, in the words of the table. */
  node: nodeStates,
  disagree: (names: readonly string[]) =>
    names.length === 1 ? sentence`${named(names)} disagrees.` : sentence`${named(names)} disagree.`,
  areBehind: (names: readonly string[]) =>
    names.length === 1 ? sentence`${named(names)} is behind.` : sentence`${named(names)} are behind.`,
  /** Why a node is not voting, and for how long: “limits our rate, 12 s more”. */
  reason: (why: string, leftMs: number | null) =>
    leftMs === null ? why : `${why}, ${Math.max(1, Math.ceil(leftMs / 1000))} s more`,
  columns: ['Node', 'State', 'Weight', 'Head', 'Lag', 'p50', 'p95', 'p99', 'Votes', 'Dissents', 'Faults'],
  /** Why everyday results need more than usual, or less than they should. */
  everydayRule: {
    everyday: '',
    tightened: 'A voter is missing: results need more than half of all nodes, witnesses included.',
    thin: 'A voter is missing, and too few witnesses can be reached: results are thin.',
  },
  /** “2 operators would have to tell the same lie for it to become an everyday result; 4 for a protected one.” */
  lie: (
    { everyday, protected: firm }: Readonly<Record<'everyday' | 'protected', number | null>>,
    isLow: Readonly<Record<'everyday' | 'protected', boolean>>,
  ) =>
    `${everydayLie(everyday, { isLow: isLow.everyday })}; ${firm === null ? 'no lie can become' : (isLow.protected ? 'only ' : '') + sentence`${firm} for`} a protected one.`,
  /** “412 calls were proven by one node, 46 % of all, which saved 380 requests; 3 proofs were forged.” Empty where nothing was. */
  proofs: ({ calls, proven, saved, forged }: ChainSnapshot['proofs']) =>
    proven + forged === 0
      ? ''
      : counted(proven, 'call') +
        sentence` proven by one node, ${Math.round((100 * proven) / Math.max(1, calls))} % of all, which saved ${saved} ` +
        `${saved === 1 ? 'request' : 'requests'}; ${counted(forged, 'proof')} forged.`,
  /** “Block 24000000 is final by signature of the sync committee. beacon API 1: it cannot be reached.” Empty where nobody looks. */
  signed: (signed: ChainSnapshot['signed']) =>
    signed === null
      ? ''
      : [
          signed.block === null
            ? 'No signature of the sync committee is known yet.'
            : sentence`Block ${signed.block.number} is final by signature of the sync committee.`,
          ...signed.faults.map((fault) => `${fault}.`),
        ].join(' '),
  witness: 'witness: asked only when a voter fails',
  leftToday: (requests: string) => `${requests} requests left today`,
  /** “62 % of its plan used, which ends 2026-12-03 14:00 at this pace” */
  plan: ({ units, unitsMax, spentMs }: NonNullable<NodeSnapshot['plan']>) => {
    if (units >= unitsMax) return 'plan used up, asked last'
    const share = `${Math.floor((100 * units) / unitsMax)} % of its plan used`
    return spentMs === null ? share : `${share}, which ends ${dayTime(spentMs)} UTC at this pace`
  },
  behind: (blocks: number) => (blocks > 0 ? `${blocks} behind` : 'in sync'),
} as const

function everydayLie(operators: number | null, { isLow }: { readonly isLow: boolean }): string {
  if (operators === null) return 'No lie can become an everyday result'
  if (operators === 1) return 'Only 1 operator would have to lie for that to become an everyday result'
  return (
    (isLow ? 'Only ' : '') +
    sentence`${operators} operators would have to tell the same lie for it to become an everyday result`
  )
}

/** “1 call was”, “412 calls were” */
const counted = (count: number, what: string) =>
  sentence`${count} ` + (count === 1 ? `${what} was` : `${what}s were`)

const namedMax = 3
const list = new Intl.ListFormat('en')

/** “a, b, c, and 4 more” */
function named(names: readonly string[]): string {
  const more = names.length - namedMax
  return list.format([...names.slice(0, namedMax), ...(more > 0 ? [`${more} more`] : [])])
}
