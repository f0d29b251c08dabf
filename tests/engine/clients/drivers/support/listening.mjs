import { facts, url } from './steps.mjs'

/** Output of listeners: see tests/engine/clients/README.md. */
export const socketUrl = url.replace('http', 'ws')
export const { token } = facts

/**
 * A block that the client was told of, by its header, its log or its row.
 *
 * @param {'heads' | 'logs'} stream
 * @param {{ number: unknown, hash: unknown, removed?: boolean }} block
 */
export function heard(stream, { number, hash, removed = false }) {
  print({ stream, number: Number(number), hash, removed })
}

/** What the user's code is told when its connection ends. @param {string} closed */
export function closed(closed) {
  print({ closed })
}

/** @param {unknown} line */
function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
