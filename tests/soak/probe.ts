import { readdirSync } from 'node:fs'

/** Loaded into the host before it starts, by the soak alone: tells on SIGUSR2 what the process holds when all that nobody needs is gone. */
const spentMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

process.on('SIGUSR2', () => {
  const spentBeforeMs = spentMs()
  globalThis.gc?.()
  const kinds = process.getActiveResourcesInfo()
  const count = (kind: string) => kinds.filter((each) => each === kind).length
  const { heapUsed: heapBytes, rss: rssBytes } = process.memoryUsage()
  const held = {
    heapBytes,
    rssBytes,
    sockets: count('TCPSocketWrap'),
    timers: count('Timeout'),
    // Linux and macOS list a process's own open files there.
    files: readdirSync('/dev/fd').length,
    spentBeforeMs,
    spentMs: spentMs(),
  }
  console.log(`HELD ${JSON.stringify(held)}`)
})
