import { stripVTControlCharacters } from 'node:util'
import type { Outcome } from '../outcome.ts'

/** Seconds that each stage took the last time. */
export type Usual = Readonly<Record<string, number>>

/** What is worth showing at once of the output of a stage: one line for each failure, as the runners print them. */
const failure = /^\s*(?:×|✘|FAILED\b|BREACH\b)/

/** Tells what runs, how long that usually takes, and each failure as it happens. */
export function createProgress(total: number, usual: Usual, say: (line: string) => void) {
  const startMs = Date.now()
  const running = new Map<string, number>()
  let begun = 0
  const tell = (words: string) => say(`${clock(Date.now() - startMs)}  ${words}`)
  return {
    begin(name: string): void {
      begun += 1
      running.set(name, Date.now())
      const seconds = usual[name]
      tell(
        `${name} begins, ${begun} of ${total}${seconds === undefined ? '' : `, usually ${clock(seconds * 1000)}`}`,
      )
    },
    /** Takes the output of a stage in pieces. */
    output(name: string): (text: string) => void {
      let rest = ''
      return (text) => {
        const lines = `${rest}${text}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines.map((coloured) => stripVTControlCharacters(coloured)))
          if (failure.test(line)) tell(`${name}: ${line.trim()}`)
      }
    },
    end(name: string, outcome: Outcome): void {
      const ms = Date.now() - (running.get(name) ?? Date.now())
      running.delete(name)
      tell(`${name} ended: ${counts(outcome)}, ${clock(ms)}`)
    },
    still(): void {
      const words = [...running].map(([name, since]) => {
        const of = usual[name] === undefined ? '' : ` of ${clock(usual[name] * 1000)}`
        return `${name} ${clock(Date.now() - since)}${of}`
      })
      if (words.length > 0) tell(`running: ${words.join(', ')}`)
    },
  }
}

export function counts({ passed, failed, remark }: Outcome): string {
  return `${passed} passed, ${failed} failed${remark ? ` (${remark})` : ''}`
}

/** Minutes and seconds: `1:05`. */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
