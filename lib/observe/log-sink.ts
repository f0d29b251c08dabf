import { write, writeSync } from 'node:fs'

export interface LogSinkOptions {
  /** Writes bytes to the log, perhaps not all of them. */
  readonly write: (
    bytes: Buffer,
    onWritten: (error: NodeJS.ErrnoException | null, count: number) => void,
  ) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Called once the log takes lines again, with the number that were lost and the code of the last error. */
  readonly onResume: (lines: number, code: string) => void
  /** Characters that wait for a slow reader. Beyond that, lines are lost. */
  readonly charsMax?: number
}

/** After a failed write, lines are lost without another try for this time. */
const retryMs = 1000
/** A full pipe is tried again after this time. */
const busyMs = 50

/**
 * A log file, pipe or terminal that may fail. Nothing that becomes of it (a full disk, a reader that has ended or is asleep)
 * throws, blocks or grows: lines are lost and counted, and the next ones are tried again.
 */
export class LogSink {
  readonly #options: Required<LogSinkOptions>
  #queue: string[] = []
  #queuedChars = 0
  /** What is being written. */
  #batch = Buffer.alloc(0)
  #isInSystemCall = false
  #failedMs = Number.NEGATIVE_INFINITY
  #failure: string | null = null
  /** Whether the last line was cut off in the middle. */
  #isTorn = false
  #lost = 0
  #untold = 0
  #onIdle: (() => void)[] = []

  constructor(options: LogSinkOptions) {
    this.#options = { charsMax: 1 << 20, ...options }
  }

  /** Lines lost so far. */
  get lost(): number {
    return this.#lost
  }

  /** The code of the error with which the last write failed; null while the log takes lines. */
  get failure(): string | null {
    return this.#failure
  }

  /** Writes one line, which ends with a line feed. */
  write(line: string): void {
    const { now, charsMax } = this.#options
    const isFailing = this.#failure !== null && now() - this.#failedMs < retryMs
    if (isFailing || this.#queuedChars + line.length > charsMax) {
      this.#lose(1)
      return
    }
    this.#queue.push(line)
    this.#queuedChars += line.length
    if (this.#batch.length === 0) this.#next()
  }

  /**
   * Resolves when everything is written or lost, and after `msMax` in any case. False when the system still holds a write: a
   * process that exits then waits for it.
   */
  async flush(msMax: number): Promise<boolean> {
    if (this.#batch.length > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, msMax)
        this.#onIdle.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    return !this.#isInSystemCall
  }

  /** What has not been handed to the system yet, for the last moment of a process. */
  takeRest(): Buffer {
    const rest = Buffer.from(this.#queue.splice(0).join(''))
    return this.#isInSystemCall ? rest : Buffer.concat([this.#batch, rest])
  }

  #next(): void {
    const text = this.#queue.splice(0).join('')
    this.#queuedChars = 0
    // A line of its own for what follows a torn one.
    this.#batch = Buffer.from(this.#isTorn && text !== '' ? `\n${text}` : text)
    if (this.#batch.length > 0) this.#send()
    else for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  #send(): void {
    this.#isInSystemCall = true
    this.#options.write(this.#batch, (error, count) => {
      this.#isInSystemCall = false
      if (error !== null && error.code !== 'EAGAIN') return this.#fail(error.code ?? 'unknown')
      if (error !== null || count === 0) {
        setTimeout(() => this.#send(), busyMs).unref()
        return
      }
      this.#isTorn = this.#batch[count - 1] !== lineFeed
      this.#batch = this.#batch.subarray(count)
      if (this.#batch.length > 0) return this.#send()
      this.#resume()
      this.#next()
    })
  }

  #fail(code: string): void {
    this.#failure = code
    this.#failedMs = this.#options.now()
    this.#lose(linesIn(this.#batch) + this.#queue.length)
    this.#queue = []
    this.#next()
  }

  #lose(lines: number): void {
    this.#lost += lines
    this.#untold += lines
  }

  #resume(): void {
    const [lines, code] = [this.#untold, this.#failure ?? 'EAGAIN']
    this.#failure = null
    this.#untold = 0
    if (lines > 0) this.#options.onResume(lines, code)
  }
}

const lineFeed = 0x0a

/** Lines that end in these bytes. The line feed that ends a torn line stands first and is none. */
function linesIn(bytes: Buffer): number {
  let lines = bytes[0] === lineFeed ? -1 : 0
  for (const byte of bytes) if (byte === lineFeed) lines += 1
  return lines
}

/** The log on a file descriptor of this process. */
export function createFileLogSink(fd: number, onResume: LogSinkOptions['onResume']): LogSink {
  const sink = new LogSink({
    write: (bytes, onWritten) => write(fd, bytes, onWritten),
    now: () => performance.now(),
    onResume,
  })
  // For a process that exits without `flush`. It never waits: neither a full disk nor a full pipe may hold the exit.
  process.once('exit', () => {
    try {
      writeSync(fd, sink.takeRest())
    } catch {
      // Lost with the process.
    }
  })
  return sink
}
