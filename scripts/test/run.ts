interface Ordered {
  readonly name: string
  readonly after?: string
  readonly isAlone?: true
  readonly isWaiting?: true
}

/**
 * Runs at most this many stages at a time, in their order, and beside them those that mostly wait; one that comes `after` another waits
 * for its end, one alone for all.
 */
export async function runStages<Stage extends Ordered>(
  stages: readonly Stage[],
  atOnce: number,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const waiting = [...stages]
  const open = new Set(stages.map(({ name }) => name))
  const running = new Set<Promise<void>>()
  let busyPlaces = 0
  let oneIsAlone = false
  const mayBegin = ({ after, isAlone, isWaiting }: Stage) =>
    (after === undefined || !open.has(after)) &&
    (isAlone ? running.size === 0 : isWaiting || busyPlaces < atOnce)
  while (open.size > 0) {
    const at = waiting.findIndex(mayBegin)
    if (at === -1 || (oneIsAlone && running.size > 0)) {
      if (running.size === 0) throw new Error(`${waiting.map(({ name }) => name)} wait for each other`)
      await Promise.race(running)
      continue
    }
    for (const stage of waiting.splice(at, 1)) {
      oneIsAlone = stage.isAlone === true
      const places = stage.isWaiting ? 0 : 1
      busyPlaces += places
      const ended: Promise<void> = run(stage).finally(() => {
        busyPlaces -= places
        open.delete(stage.name)
        running.delete(ended)
      })
      running.add(ended)
    }
  }
}
