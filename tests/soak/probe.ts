import { readdirSync } from 'node:fs'

/** Preloaded into the host by the soak only. On SIGUSR2 it collects garbage and reports the resources of the process. */
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
    // Linux and macOS list the open files of a process there.
    files: readdirSync('/dev/fd').length,
    spentBeforeMs,
    spentMs: spentMs(),
  }
  console.log(`HELD ${JSON.stringify(held)}`)
})
