interface Ordered {
  readonly name: string
  readonly after?: string
  readonly isAlone?: true
}

/** Runs at most this many stages at a time, in their order; one that comes `after` another waits for its end, one alone for all. */
export async function runStages<Stage extends Ordered>(
  stages: readonly Stage[],
  atOnce: number,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const waiting = [...stages]
  const open = new Set(stages.map(({ name }) => name))
  const running = new Set<Promise<void>>()
  let oneIsAlone = false
  while (open.size > 0) {
    const at = waiting.findIndex(
      ({ after, isAlone }) =>
        (after === undefined || !open.has(after)) && (isAlone === undefined || running.size === 0),
    )
    if (at === -1 || running.size === atOnce || (oneIsAlone && running.size > 0)) {
      if (running.size === 0) throw new Error(`${waiting.map(({ name }) => name)} wait for each other`)
      await Promise.race(running)
      continue
    }
    for (const stage of waiting.splice(at, 1)) {
      oneIsAlone = stage.isAlone === true
      const ended: Promise<void> = run(stage).finally(() => {
        open.delete(stage.name)
        running.delete(ended)
      })
      running.add(ended)
    }
  }
}
