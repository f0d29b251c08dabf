import SonicBoom from 'sonic-boom'

interface LogSinkOptions {
  /** Called once the log takes lines again, with the number that were lost and the code of the last error. */
  readonly onResume: (lines: number, code: string) => void
  /** Bytes that wait. */
  readonly bytesMax?: number
}

/**
 * A log file, pipe or terminal that may fail: a full disk, a reader that has ended or is asleep. Nothing of that throws, blocks or
 * grows: lines wait, each new one tries again, and beyond the limit they are lost and counted.
 */
export function openLogSink(fd: number, { onResume, bytesMax = 1 << 20 }: LogSinkOptions) {
  let [lost, untold, code] = [0, 0, 'EAGAIN']
  let [isWriting, isBusy, isFailing] = [false, false, false]
  const onPause: (() => void)[] = []
  const pause = () => {
    isWriting = false
    for (const resolve of onPause.splice(0)) resolve()
  }
  // The class, not `pino.destination`: that falls silent at a broken pipe, and on a full disk it waits for ever as the process exits.
  const sonic = new SonicBoom({
    fd,
    sync: false,
    maxLength: bytesMax,
    // With less than one, `flush` writes nothing.
    minLength: 1,
    // A full pipe.
    retryEAGAIN() {
      isBusy = true
      return true
    },
  })
  sonic.on('error', (cause: NodeJS.ErrnoException) => {
    code = cause.code ?? 'unknown'
    isFailing = true
    pause()
  })
  sonic.on('write', () => {
    isBusy = false
    isFailing = false
  })
  sonic.on('drop', () => {
    lost += 1
    untold += 1
    // By itself it tries again only for a line that finds room.
    sonic.flush()
  })
  sonic.on('drain', () => {
    pause()
    const lines = untold
    untold = 0
    if (lines > 0) onResume(lines, code)
  })
  return {
    /** Writes one line, which ends with a line feed. */
    write(line: string): void {
      isWriting = true
      sonic.write(line)
    },
    /** Resolves once all is written or the log fails, and after `msMax` in any case. False while the system holds a write. */
    async flush(msMax: number): Promise<boolean> {
      if (isWriting)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, msMax)
          onPause.push(() => {
            clearTimeout(timer)
            resolve()
          })
        })
      return !isWriting || isBusy
    },
    /** Lines lost so far. */
    lost: () => lost,
    /** Whether the last write failed. */
    isFailing: () => isFailing,
  }
}
