interface Ordered {
  readonly name: string
  readonly after?: readonly string[]
}

/**
 * Runs stages in their order. A stage starts when the stages in its `after` have ended. While other stages run, it starts only if
 * `mayBegin` allows it. Whenever a stage ends, `mayBegin` is called again.
 */
export async function runStages<Stage extends Ordered>(
  stages: readonly Stage[],
  mayBegin: (running: number) => boolean,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const waiting = [...stages]
  const open = new Set(stages.map(({ name }) => name))
  const running = new Set<Promise<void>>()
  while (open.size > 0) {
    const at = waiting.findIndex(({ after = [] }) => after.every((name) => !open.has(name)))
    if (at === -1 || (running.size > 0 && !mayBegin(running.size))) {
      if (running.size === 0) throw new Error(`${waiting.map(({ name }) => name)} wait for each other`)
      await Promise.race(running)
      continue
    }
    for (const stage of waiting.splice(at, 1)) {
      const ended: Promise<void> = run(stage).finally(() => {
        open.delete(stage.name)
        running.delete(ended)
      })
      running.add(ended)
    }
  }
}
