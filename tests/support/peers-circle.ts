import type { Peers } from '#lib/engine/peers.ts'

/** Peers in one process: what one says the others hear at once. `join` is as if another one had come. */
export function peersCircle(size: number): readonly (Peers & { readonly join: () => void })[] {
  const members = Array.from({ length: size }, () => ({
    takes: new Map<string, (value: unknown) => void>(),
    joins: [] as (() => void)[],
  }))
  return members.map(({ takes, joins }, own) => ({
    send(kind, value) {
      for (const [at, each] of members.entries())
        if (at !== own) each.takes.get(kind)?.(structuredClone(value))
    },
    on: (kind, take) => void takes.set(kind, take),
    onJoin: (join) => void joins.push(join),
    join() {
      for (const each of members) for (const join of each.joins) join()
    },
  }))
}
