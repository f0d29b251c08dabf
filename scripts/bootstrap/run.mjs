import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The project's root folder, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** What cannot be had, in one sentence that says what the reader can do; ends the bootstrap. */
export class BootstrapError extends Error {}

/** Prints one line under the bootstrap's name. @param {string} line */
export function say(line) {
  process.stderr.write(`[bootstrap] ${line}\n`)
}

/**
 * Runs a command and tells every ten seconds that it is still at it; never throws.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ what: string, limitMs: number, env?: Record<string, string> }} options
 * @returns {Promise<{ ok: boolean, output: string }>} `output` is the end of what it printed.
 */
export function run(command, args, { what, limitMs, env = {} }) {
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitMs,
    })
    const progress = setInterval(() => say(`${what}: ${seconds()} s`), 10_000)
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk.toString()).slice(-16_000)
    }
    const finish = (/** @type {boolean} */ ok) => {
      clearInterval(progress)
      resolve({ ok, output: output.trim() })
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => {
      output += error.message
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}
