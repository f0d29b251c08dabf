/** What a node said that it does not have: methods, and state that it has pruned. Each is remembered for a while. */
export interface Unsupported {
  /** It does not serve this method. */
  readonly method: (method: string) => void
  /** It has pruned what this method reads at this block, and at those before it. */
  readonly pruned: (method: string, block: number) => void
  readonly serves: (method: string, block: number | null) => boolean
}

export function createUnsupported(now: () => number, rememberedMs = 600_000): Unsupported {
  const methods = new Map<string, number>()
  /** The highest block at which a method found nothing any more. */
  const floors = new Map<string, { readonly block: number; readonly untilMs: number }>()

  return {
    method(method) {
      methods.set(method, now() + rememberedMs)
    },
    pruned(method, block) {
      const last = floors.get(method)
      const highest = last !== undefined && now() < last.untilMs ? Math.max(last.block, block) : block
      floors.set(method, { block: highest, untilMs: now() + rememberedMs })
    },
    serves(method, block) {
      const floor = floors.get(method)
      if (floor !== undefined && block !== null && block <= floor.block && now() < floor.untilMs) return false
      const untilMs = methods.get(method)
      return untilMs === undefined || now() >= untilMs
    },
  }
}
