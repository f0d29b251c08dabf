const everyMs = 250

interface Deadline {
  readonly atMs: number
  readonly late: () => void
  /** Index in `open`; -1 once it has passed or was cancelled. */
  at: number
}

/** Deadlines with a resolution of a quarter of a second. They share one timer, because nearly all are cancelled. */
export function createDeadlines(): (ms: number, late: () => void) => () => void {
  // An array and no Set: rpc-proxy/runtime/dictionary.ts explains what a Set would cost here.
  const open: Deadline[] = []
  let timer: ReturnType<typeof setInterval> | undefined

  function remove(deadline: Deadline): void {
    if (deadline.at === -1) return
    const last = open.pop()
    if (last !== undefined && last !== deadline) {
      open[deadline.at] = last
      last.at = deadline.at
    }
    deadline.at = -1
  }

  function check(): void {
    if (open.length === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const nowMs = performance.now()
    for (const deadline of open.filter(({ atMs }) => atMs <= nowMs)) {
      if (deadline.at === -1) continue
      remove(deadline)
      deadline.late()
    }
  }

  return (ms, late) => {
    const deadline = { atMs: performance.now() + ms, late, at: open.length }
    open.push(deadline)
    timer ??= setInterval(check, everyMs)
    return () => remove(deadline)
  }
}
