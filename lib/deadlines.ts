const everyMs = 250

interface Deadline {
  readonly atMs: number
  readonly late: () => void
}

/** Deadlines, met to a quarter of a second: one timer for all of them, because nearly all are called off. */
export function createDeadlines(): (ms: number, late: () => void) => () => void {
  const open = new Set<Deadline>()
  let timer: ReturnType<typeof setInterval> | undefined

  function look(): void {
    if (open.size === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const nowMs = performance.now()
    for (const deadline of open) {
      if (deadline.atMs > nowMs) continue
      open.delete(deadline)
      deadline.late()
    }
  }

  return (ms, late) => {
    const deadline = { atMs: performance.now() + ms, late }
    open.add(deadline)
    timer ??= setInterval(look, everyMs)
    return () => {
      open.delete(deadline)
    }
  }
}
