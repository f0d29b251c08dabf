import type { ErrorPattern } from './error-pattern.ts'

/** What the node does not serve, or not to us. */
export const accessRules: readonly ErrorPattern[] = [
  {
    name: 'it does not serve that method',
    applies: ({ code, message }) =>
      code === -32601 ||
      code === -32004 ||
      /method .*(not (found|supported|available|allowed|whitelisted|enabled)|does not exist|disabled|unavailable)|unsupported method/i.test(
        message,
      ),
    reply: () => ({ kind: 'unsupported', why: 'method' }),
  },
  {
    name: 'it does not serve us',
    applies: ({ code, message }) =>
      code === -32046 ||
      /unauthori[sz]ed|authenticat|api ?key|forbidden|access denied|tenant|app is inactive|not available on (the )?free/i.test(
        message,
      ),
    reply: () => ({ kind: 'unsupported', why: 'unauthorized' }),
  },
]
