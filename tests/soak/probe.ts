/** Loaded into the host before it starts, by the soak alone: tells on SIGUSR2 what the process holds when all that nobody needs is gone. */
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const kinds = process.getActiveResourcesInfo()
  const count = (kind: string) => kinds.filter((each) => each === kind).length
  const { heapUsed: heapBytes, rss: rssBytes } = process.memoryUsage()
  const held = { heapBytes, rssBytes, sockets: count('TCPSocketWrap'), timers: count('Timeout') }
  console.log(`HELD ${JSON.stringify(held)}`)
})
