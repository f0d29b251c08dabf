import type { ErrorPattern } from './error-pattern.ts'

const rateWords =
  /rate[- ]?limit|too many requests?|request limit|requests? per (second|minute)|per[- ]second|\brps\b|compute units|capacity exceeded|throttl|concurrent (calls|requests|connections)/i
/** An allowance for a day or a month. */
const quotaWords =
  /\bmonthly\b|\bdaily\b|per (day|month)|usage limit|quota|credits|capacity limit exceeded|payment required/i

/** Only clear words of a rate, or the code of HTTP 429: what a caller chose must not make a node rest. */
export const rateRules: readonly ErrorPattern[] = [
  {
    name: 'the node wants us to slow down',
    applies: ({ code, message }) => code === 429 || rateWords.test(message) || quotaWords.test(message),
    reply: () => ({ kind: 'fault', fault: 'rate-limited' }),
  },
]

export const isQuota = (message: string): boolean => quotaWords.test(message)
