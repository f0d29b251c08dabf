import type { Call } from '../../../demo/nodes/exchange.ts'

/** One call as it reached a node of a case. */
export interface Heard {
  readonly node: string
  readonly call: Call
  readonly atMs: number
  /** When its answer left; null while the node is silent. */
  saidMs: number | null
}

/** Looks at heads and chain ids are the engine's own, and no case is about how many there are. */
export function isLook({ method, params }: Call): boolean {
  return method === 'eth_chainId' || (method === 'eth_getBlockByNumber' && params[1] === false)
}

/**
 * Who was asked, in waves: 'a+b c' is a and b at once, in either order, and c later. `waves` tells where one ends. What is
 * heard too soon, before anybody of the wave before it had spoken or stalled, is told as such.
 */
export function asWaves(heard: readonly Heard[], waves: string, stallMs: number): string {
  const rest = [...heard].sort((one, other) => one.atMs - other.atMs)
  const told: string[] = []
  let before: readonly Heard[] = []
  while (rest.length > 0) {
    const size = waves.split(' ')[told.length]?.split('+').length ?? 1
    const wave = rest.splice(0, size)
    const dueMs = Math.min(...before.map(({ atMs, saidMs }) => Math.min(saidMs ?? Infinity, atMs + stallMs)))
    // Clocks of two processes: what one calls the same millisecond may be two of the other's.
    const isEarly = before.length > 0 && wave.some(({ atMs }) => atMs < dueMs - 20)
    told.push(
      `${wave
        .map(({ node }) => node)
        .toSorted()
        .join('+')}${isEarly ? '(early)' : ''}`,
    )
    before = [...before, ...wave]
  }
  return told.join(' ')
}
