import { spawn } from 'node:child_process'
import { foundryProgram } from '../support/commands.mjs'
import { closed, heard, socketUrl, token } from '../support/listening.mjs'

const program = foundryProgram('cast', import.meta.dirname)
// With --json it prints no log before the next one.
const listener = spawn(program, ['logs', '--subscribe', '--address', token, '--rpc-url', socketUrl], {
  stdio: ['ignore', 'pipe', 'pipe'],
  env: { ...process.env, NO_COLOR: '1' },
})
const log = /blockHash: (0x\w+)\s+blockNumber: (\d+)[\s\S]*?removed: (true|false)/g
let text = ''
let errors = ''
listener.stdout.on('data', (more) => {
  text += more
  for (const [, hash, number, removed] of text.matchAll(log))
    heard('logs', { number, hash, removed: removed === 'true' })
  text = text.slice(text.lastIndexOf('removed: '))
})
listener.stderr.on('data', (more) => {
  errors += more
})
listener.once('close', (code) => {
  closed(`exit code ${code}: ${errors.trim()}`)
  process.exitCode = 1
})
