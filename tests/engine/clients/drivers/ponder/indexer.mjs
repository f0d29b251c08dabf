import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { facts, url as gatewayUrl } from '../support/steps.mjs'

/** Starts ponder in production mode. Its log goes to stderr. */
export async function startPonder(url) {
  const port = await freePort()
  const rows = mkdtempSync(join(tmpdir(), 'ponder-'))
  const ponder = spawn(
    process.execPath,
    ['node_modules/.bin/ponder', 'start', '--schema', 'tried', '-H', '127.0.0.1', '-p', String(port)],
    {
      env: {
        ...process.env,
        TRIED_URL: url,
        // Over a socket of anvil it misses blocks.
        ...(facts.controlUrl !== null && { TRIED_SOCKET: gatewayUrl.replace('http', 'ws') }),
        TOKEN: facts.token,
        ROWS: rows,
        PONDER_TELEMETRY_DISABLED: 'true',
      },
      stdio: ['ignore', 2, 2],
    },
  )
  const ended = new Promise((resolve) => ponder.once('exit', resolve))
  const read = (path) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (answer) => (answer.ok ? answer.json() : null),
      () => null,
    )
  return {
    rows: () => read('/rows'),
    /** Resolves when its latest block has this hash. */
    async indexed(hash, withinMs) {
      const deadline = Date.now() + withinMs
      for (;;) {
        const [newest] = (await read('/head')) ?? []
        if (newest?.hash === hash) return
        if (ponder.exitCode !== null) throw new Error(`ponder ended with ${ponder.exitCode}`)
        if (Date.now() > deadline)
          throw new Error(`not indexed: ${hash}; the newest is ${JSON.stringify(newest)}`)
        await pause(200)
      }
    },
    async stop() {
      ponder.kill('SIGKILL')
      await ended
      rmSync(rows, { recursive: true, force: true })
    },
  }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
