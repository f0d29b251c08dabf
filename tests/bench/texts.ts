import { fastestMs, readers, strings } from '../support/long-texts.ts'

/** How long the readers of other people's text take for a hundred thousand letters, beside JSON.parse of as many. */
export function benchTexts(): void {
  const tries = { tries: 20, enoughMs: 0 }
  const plain = JSON.stringify('a'.repeat(100_000))
  const parseMs = fastestMs(() => JSON.parse(plain), tries)
  const rows = Object.entries(readers).map(([what, read]) => {
    const [text, ms] = strings
      .map((candidate) => [candidate, fastestMs(read(candidate), tries)] as const)
      .reduce((slowest, next) => (next[1] > slowest[1] ? next : slowest))
    return { what, text, ms }
  })
  console.log(`${'what reads 100,000 letters'.padEnd(46)}${'ms'.padEnd(9)}slowest for`)
  console.log(`${'JSON.parse of a string'.padEnd(46)}${parseMs.toFixed(2)}`)
  for (const { what, text, ms } of rows.sort((one, other) => other.ms - one.ms))
    console.log(`${what.padEnd(46)}${ms.toFixed(2).padEnd(9)}${JSON.stringify(text.slice(0, 12))}…`)
  console.log(`\n${'the slowest of them'.padEnd(46)}${(rows[0]?.ms ?? 0).toFixed(2)} ms  aim <= 5 ms`)
}
