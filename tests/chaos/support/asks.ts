import type { DemoCall } from '../../../demo/nodes/demo-call.ts'

/** One call as a node of a case received it. */
export interface NodeRequest {
  readonly node: string
  readonly call: DemoCall
  readonly atMs: number
  /** When its answer was sent; null while there is none. */
  saidMs: number | null
}

/** Head looks and chain id checks of the engine. The cases do not count them. */
export function isLook({ method, params }: DemoCall): boolean {
  return method === 'eth_chainId' || (method === 'eth_getBlockByNumber' && params[1] === false)
}

/**
 * The asked nodes in waves: 'a+b c' is a and b at once, in either order, and c later. `waves` defines where a wave ends. An
 * ask that comes before any node of the previous wave has replied or stalled is marked as too early.
 */
export function asWaves(requests: readonly NodeRequest[], waves: string, stallMs: number): string {
  const rest = [...requests].sort((one, other) => one.atMs - other.atMs)
  const seen: string[] = []
  let before: readonly NodeRequest[] = []
  while (rest.length > 0) {
    const size = waves.split(' ')[seen.length]?.split('+').length ?? 1
    const wave = rest.splice(0, size)
    const dueMs = Math.min(...before.map(({ atMs, saidMs }) => Math.min(saidMs ?? Infinity, atMs + stallMs)))
    // The clocks of two processes may differ by a millisecond.
    const isEarly = before.length > 0 && wave.some(({ atMs }) => atMs < dueMs - 20)
    seen.push(
      `${wave
        .map(({ node }) => node)
        .toSorted()
        .join('+')}${isEarly ? '(early)' : ''}`,
    )
    before = [...before, ...wave]
  }
  return seen.join(' ')
}
