import { readFileSync } from 'node:fs'

/** Input and output of drivers: see tests/engine/clients/README.md. */
export const url = process.env.RPC_URL ?? ''
export const chainId = Number(process.env.CHAIN_ID)
export const privateKey = process.env.PRIVATE_KEY ?? ''
/** @type {import('../../runner/facts.ts').Facts} */
export const facts = JSON.parse(readFileSync(process.env.FACTS ?? '', 'utf8'))
const wanted = process.env.STEPS?.split(',')

/** 150 unused addresses. */
export const many = Array.from(
  { length: 150 },
  (_, index) => `0x${(index + 1).toString(16).padStart(40, 'd0')}`,
)

/**
 * Runs one step and prints its result. `described` extracts type, code and message of a thrown error, as a user of the
 * client would read them.
 *
 * @param {string} step
 * @param {() => unknown} act
 * @param {(thrown: any) => { type: string, code: unknown, message: string }} described
 */
export async function does(step, act, described) {
  const isWanted = wanted === undefined ? step !== 'stillUsable' : wanted.includes(step)
  if (!isWanted) return
  try {
    print({ step, ok: true, value: plain(await act()) })
  } catch (thrown) {
    print({ step, ok: false, error: plain(described(thrown)) })
  }
}

/**
 * Runs these steps one after the other.
 *
 * @param {Record<string, () => unknown>} acts
 * @param {Parameters<typeof does>[2]} described
 */
export async function doAll(acts, described) {
  for (const [step, act] of Object.entries(acts)) await does(step, act, described)
}

/** The same for a step that must succeed on both sides: two equal failures are not a success. */
export async function succeeds(step, act, described) {
  await does(
    step,
    act,
    /** @param {any} thrown */ (thrown) => {
      if (wanted === undefined) {
        console.error(thrown)
        process.exitCode = 1
      }
      return described(thrown)
    },
  )
}

/** An error as it is thrown. @param {any} thrown */
export const describedPlain = ({ name, code, message }) => ({ type: name, code: code ?? null, message })

/**
 * The result of one call, past the client.
 *
 * @param {string} of
 * @param {string} method
 * @param {readonly unknown[]} [params]
 */
export async function ask(of, method, params = []) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(of, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = await answer.json()
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** @param {unknown} line */
function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Bigints as text, and only JSON-compatible parts of objects. @param {unknown} value @returns {unknown} */
function plain(value) {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
  return text === undefined ? null : JSON.parse(text)
}
