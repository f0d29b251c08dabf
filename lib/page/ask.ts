import { decodeReadings, encodeQuestions } from './batch-readings.ts'
import type { AskChain, Question, Reading } from './reading.ts'
import { noteBuild } from './version.ts'

/** Request header that asks for an explanation of every reply. */
export const explain = 'x-quorate-explain'

const timeoutMs = 10_000

/** Asks the gateway in one batch, for at most ten seconds. `gateway` is empty for this site. */
export function askGateway(gateway: string, headers: Readonly<Record<string, string>> = {}): AskChain {
  return (chainId, questions, signal) => post(gateway, { chainId, questions, signal, headers })
}

interface Asked {
  readonly chainId: number
  readonly questions: readonly Question[]
  readonly signal: AbortSignal | undefined
  readonly headers: Readonly<Record<string, string>>
}

async function post(
  gateway: string,
  { chainId, questions, signal, headers }: Asked,
): Promise<readonly Reading[]> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(gatewayPath(gateway, chainId), {
      method: 'POST',
      headers: { 'content-type': 'application/json', [explain]: '1', ...headers },
      body: encodeQuestions(questions),
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    if (gateway === '') noteBuild(response.headers)
    return decodeReadings(await response.text(), questions)
  } catch {
    return questions.map(() => ({ state: 'refused', why: 'unreachable', answer: null }))
  }
}

/** A chain's RPC URL. `gateway` is empty for this site. */
export function gatewayPath(gateway: string, chainId: number): string {
  return `${gateway}/api/rpc/${chainId}`
}
