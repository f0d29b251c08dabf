import { hexToBytes } from '@noble/hashes/utils.js'

const errorSelector = '08c379a0'
const panicSelector = '4e487b71'
const wordChars = 64
const reasonBytesMax = 1024

/** Codes of `Panic(uint256)` in the words of go-ethereum (accounts/abi, panicReasons). */
const panics: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
])

/**
 * The message of a revert, as go-ethereum words it: `execution reverted: reason` for `Error(string)` and
 * `Panic(uint256)`, else `execution reverted`. `data` is the agreed revert data, `0x` and lower-case hex.
 *
 * A contract chooses the reason, so control and formatting characters are dropped, and a reason that is longer than 1,024
 * bytes or not UTF-8 is left out.
 */
export function revertMessage(data: string): string {
  const reason = reasonOf(data.slice(2))
  return reason === null ? 'execution reverted' : `execution reverted: ${reason}`
}

function reasonOf(hex: string): string | null {
  const selector = hex.slice(0, 8)
  const body = hex.slice(8)
  if (selector === errorSelector) return stringIn(body)
  if (selector === panicSelector && body.length >= wordChars) {
    const code = BigInt(`0x${body.slice(0, wordChars)}`)
    return panics.get(code) ?? `unknown panic code: 0x${code.toString(16)}`
  }
  return null
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The ABI-encoded string at the start of a body; null for anything else. */
function stringIn(body: string): string | null {
  const at = 2 * sizeAt(body, 0)
  const length = sizeAt(body, at)
  const text = body.slice(at + wordChars, at + wordChars + 2 * length)
  if (!(length <= reasonBytesMax) || text.length < 2 * length) return null
  try {
    return utf8.decode(hexToBytes(text)).replace(unprintable, '')
  } catch {
    return null
  }
}

/** Control characters, line separators, and what changes the direction or the look of the text around it. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A word that counts bytes; NaN where it is cut off. */
function sizeAt(body: string, at: number): number {
  const word = body.slice(at, at + wordChars)
  return word.length < wordChars ? Number.NaN : Number(`0x${word}`)
}
