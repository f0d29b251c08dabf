import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const architectures = { x64: 'amd64', arm64: 'arm64' }

/** The path of a Foundry program in the package of this platform. @param {string} name @param {string} folder */
export function foundryProgram(name, folder) {
  const platform = `${process.platform}-${architectures[process.arch]}`
  return createRequire(pathToFileURL(`${folder}/`)).resolve(`@foundry-rs/${name}-${platform}/bin/${name}`)
}

/**
 * Runs a program to its end and returns its output, parsed if it is JSON. On failure throws its stderr, or its stdout if
 * that is empty.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function output(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { out: '', err: '' }
    child.stdout.on('data', (text) => {
      said.out += text
    })
    child.stderr.on('data', (text) => {
      said.err += text
    })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(read(said.out)) : reject(new Error(said.err.trim() || said.out.trim())),
    )
  })
}

/** @param {string} text */
function read(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text.trim()
  }
}

/** Errors of Foundry programs are plain text. @param {Error} thrown */
export function describedText({ message }) {
  const code = /error code (-?\d+)/.exec(message)?.[1]
  return { type: 'exit code 1', code: code === undefined ? null : Number(code), message }
}
