import type { Advice, ScoreRow } from '#lib/engine/scorecard.ts'
import { dayTime, type Figures, formatPercent } from '#lib/page/format.ts'
import { sentence } from '../sentence.ts'

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** “Tuesday between 14 and 15 h” */
const hourOf = (ms: number) => {
  const hour = new Date(ms).getUTCHours()
  return `${days[new Date(ms).getUTCDay()]} between ${hour} and ${hour + 1} h`
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

export const scorecardTexts = {
  title: 'Scorecard',
  story: 'How the nodes compare, the worst first. Times are UTC.',
  back: 'Status',
  range: 'Time range',
  last: { '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
  since: (ms: number) => sentence`Known since ${dayTime(ms)}.`,
  csv: 'Download CSV',
  json: 'JSON',
  operators: 'Operators of several nodes',
  /** What the colours mean, the best first. */
  levels: ['all answered', '99 %', '95 %', 'less'],
  outvoted: 'outvoted',
  axis: (ms: number, stepMs: number) =>
    stepMs < 86_400_000 ? dayTime(ms).slice(5) : dayTime(ms).slice(0, 10),
  numbers: 'Numbers',
  table: (name: string) => `Numbers of ${name}`,
  columns: [
    'Node',
    'Answered',
    'Heads',
    'Reads',
    'Calls and logs',
    'Transactions',
    'Rounds won',
    'Dissents',
    'Faults',
    'Head delay',
    'Blocks behind',
    'Proofs',
    'Plan',
  ],
  /** “12 / 80 ms”: p50 and p95. */
  units: 'Two figures are p50 / p95, in ms or blocks.',
  pair: (pair: { readonly p50: number; readonly p95: number } | null) =>
    pair === null ? '–' : `${Math.round(pair.p50)} / ${Math.round(pair.p95)}`,
  /** “2 right, 14 wrong” */
  dissents: (dissents: ScoreRow['dissents']) =>
    (['right', 'wrong', 'unknown'] as const)
      .filter((ended) => dissents[ended] > 0)
      .map((ended) => `${dissents[ended]} ${ended}`)
      .join(', ') || '0',
  faults: (faults: ScoreRow['faults']) =>
    Object.entries(faults)
      .toSorted(([, a], [, b]) => b - a)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ') || '0',
  advice(name: string, advice: Advice, figures: Figures): string {
    switch (advice.id) {
      case 'outvoted': {
        const { count, most, hourMs } = advice
        return count === most
          ? `${name} was outvoted ${times(count)} on ${hourOf(hourMs)}; look at its disputes.`
          : `${name} was outvoted ${times(count)}, ${most} of them on ${hourOf(hourMs)}; look at its disputes.`
      }
      case 'unavailable':
        return `${name} answered ${formatPercent(advice.availability, figures)} of what it was asked, most often ${advice.fault}; ask it later, or replace it.`
      case 'behind':
        return `${name} is ${advice.blocks} blocks behind at p95; give it no weight.`
      case 'plan':
        return `The plan of ${name} is used up on ${dayTime(advice.spentMs)} at this pace; raise it, or ask the node later.`
    }
  },
} as const
