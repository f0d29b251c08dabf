/** What is said of a chain's history. */
export const historyTexts = {
  title: (chain: string) => `History of ${chain}`,
  calls: 'Calls',
  failures: 'Failures',
  mean: 'Mean time',
  known: 'From cache',
  requests: 'Asks per call',
  answered: 'Answered, 24 h',
  budget: 'Error budget spent',
  burn: 'Burn, 1 h',
  peak: (perSecond: string) => `peak ${perSecond}/s`,
  blocks: 'Blocks',
  lastBlocks: (count: number) => (count === 0 ? 'none yet' : `last ${count}`),
  latency: (fast: number, slow: number) => `replies: under ${fast} ms to over ${slow} ms`,
  dissent: 'outvoted',
  fault: 'failed',
  numbers: 'Numbers',
  from: 'From (UTC)',
  block: 'Block',
  notAgreed: 'not agreed',
  seen: (afterMs: number | undefined) =>
    afterMs === undefined ? '–' : afterMs === 0 ? 'first' : `+${afterMs} ms`,
  /** “23 at 12 ms, 2 outvoted, 1 failed” */
  cell({
    replies,
    mean,
    dissents,
    faults,
  }: Readonly<Record<'replies' | 'dissents' | 'faults', number>> & { mean: string }) {
    if (replies + dissents + faults === 0) return '–'
    return [
      replies === 0 ? 'no reply' : `${replies} at ${mean}`,
      ...(dissents > 0 ? [`${dissents} outvoted`] : []),
      ...(faults > 0 ? [`${faults} failed`] : []),
    ].join(', ')
  },
  firsts: (firsts: readonly (readonly [string, number])[]) =>
    firsts.length === 0
      ? 'No block has been shown by two nodes yet.'
      : `First to show a block: ${firsts.map(([node, count]) => `${node} ${count} times`).join(', ')}.`,
  timeRange: 'Time shown',
  last: { '15m': '15 min', '1h': '1 h', '6h': '6 h', '24h': '24 h' },
  earlier: 'Earlier',
  later: 'Later',
  linkToMoment: 'Link to this moment',
  incident: 'Download incident (JSON)',
  fixedRange: (from: string, to: string) => `${from} to ${to} UTC`,
  zoom: 'Drag across a chart to zoom in.',
} as const
