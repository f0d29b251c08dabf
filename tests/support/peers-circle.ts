import type { Peers } from '#lib/engine/peers.ts'

interface CircleMember extends Peers {
  /** As if another one had come. */
  readonly join: () => void
}

/** Peers in one process: what one says the others hear at once, unless `isLost` says that it is lost on the way from one to another. */
export function peersCircle(
  size: number,
  isLost: (kind: string, from: number, to: number) => boolean = () => false,
): readonly CircleMember[] {
  const members = Array.from({ length: size }, () => ({
    takes: new Map<string, (value: unknown) => void>(),
    joins: [] as (() => void)[],
  }))
  return members.map(({ takes, joins }, own) => ({
    send(kind, value) {
      const text = JSON.stringify(value)
      for (const [at, each] of members.entries())
        if (at !== own && !isLost(kind, own, at)) each.takes.get(kind)?.(JSON.parse(text))
    },
    on: (kind, take) => void takes.set(kind, take),
    onJoin: (join) => void joins.push(join),
    isJoined: () => true,
    join() {
      for (const each of members) for (const join of each.joins) join()
    },
  }))
}
