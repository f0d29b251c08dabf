import { Abort, type Signal } from '../abort.ts'
import type { Cancel, Clock } from '../clock.ts'

/** Whether all voters stand on the same first block: a chain id is easily taken, a genesis is not. */
export interface Genesis {
  /** Asks those of these voters that have not been asked for an hour. Runs in the background. */
  readonly check: (voters: readonly number[]) => void
  /** The chain may have begun anew, with another first block: everybody is asked again. */
  readonly forget: () => void
  readonly close: () => void
}

interface GenesisPorts {
  readonly clock: Clock
  /** The hash of a voter's block 0; null where it shows none, which is not held against it. */
  readonly look: (voter: number, signal: Signal) => Promise<string | null>
  readonly isMajority: (voters: readonly number[]) => boolean
  /** More than half of all weight stands on another genesis than this voter. */
  readonly onForeign: (voter: number) => void
  /** What was said of this voter's genesis is forgotten. */
  readonly onForgiven: (voter: number) => void
}

interface GenesisOptions {
  readonly everyMs?: number
  readonly lookMs?: number
}

export function createGenesis(
  { clock, look, isMajority, onForeign, onForgiven }: GenesisPorts,
  { everyMs = 3_600_000, lookMs = 5_000 }: GenesisOptions = {},
): Genesis {
  const askedMs = new Map<number, number>()
  const hashes = new Map<number, string>()
  const foreign = new Set<number>()
  const open = new Set<Cancel>()

  async function ask(voter: number): Promise<void> {
    askedMs.set(voter, clock.now())
    const controller = new Abort()
    const giveUp = () => controller.abort()
    const cancel = clock.after(lookMs, giveUp)
    open.add(giveUp)
    const hash = await look(voter, controller)
    cancel()
    open.delete(giveUp)
    if (hash === null) return
    hashes.set(voter, hash)
    foreign.delete(voter)
    compare()
  }

  function compare(): void {
    const showing = (hash: string) => [...hashes.keys()].filter((voter) => hashes.get(voter) === hash)
    const common = [...new Set(hashes.values())].find((hash) => isMajority(showing(hash)))
    if (common === undefined) return
    for (const [voter, hash] of hashes) {
      if (hash === common || foreign.has(voter)) continue
      foreign.add(voter)
      onForeign(voter)
    }
  }

  return {
    check(voters) {
      for (const voter of voters)
        if (clock.now() - (askedMs.get(voter) ?? Number.NEGATIVE_INFINITY) >= everyMs) void ask(voter)
    },
    forget() {
      for (const voter of foreign) onForgiven(voter)
      askedMs.clear()
      hashes.clear()
      foreign.clear()
    },
    close() {
      for (const giveUp of open) giveUp()
    },
  }
}
