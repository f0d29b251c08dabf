/**
 * Where it is on every chain that has it. Another contract may give the same selector another meaning, in which its parts
 * do not stand each for itself.
 */
export const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'
/** Selector of `aggregate3((address,bool,bytes)[])`. */
export const aggregate3 = '0x82ad56cb'
const callsMax = 1024
const word = 64

/**
 * The results of the calls inside one `aggregate3`, each as text by which two are equal and from which
 * `joinAggregate3` makes the whole again; null when `callData` is no such call of at most 1,024, or when `raw` is not
 * exactly the encoding of as many results, so that the whole must be compared.
 *
 * @param callData `data` of a canonical call object
 * @param raw JSON text of the result of eth_call
 */
export function splitAggregate3(callData: string, raw: string): readonly string[] | null {
  if (!callData.startsWith(aggregate3)) return null
  const count = lengthOf(callData.slice(aggregate3.length))
  if (count === null || !/^"0x(?:[0-9a-fA-F]{64})+"$/.test(raw)) return null
  const body = raw.slice(3, -1).toLowerCase()
  if (lengthOf(body) !== count) return null
  const list = body.slice(2 * word)
  const offsets = Array.from({ length: count }, (_, index) => 2 * numberAt(list, index))
  if (offsets.some((offset, index) => offset <= (offsets[index - 1] ?? 0))) return null
  const parts = offsets.map((offset, index) => list.slice(offset, offsets[index + 1]))
  // Solidity writes one part after the other. What is not that could hide bytes between them.
  return parts.every(isWhole) && joinAggregate3(parts) === `"0x${body}"` ? parts : null
}

/** The JSON text of an eth_call result that holds these results, in Solidity's own encoding. */
export function joinAggregate3(parts: readonly string[]): string {
  let offset = parts.length * 32
  const offsets = parts.map((part) => {
    const at = offset
    offset += part.length / 2
    return wordOf(at)
  })
  return `"0x${wordOf(32)}${wordOf(parts.length)}${offsets.join('')}${parts.join('')}"`
}

/** The length of the one dynamic list that these arguments are; null where it is not one or too long. */
function lengthOf(body: string): number | null {
  const length = numberAt(body, 1)
  return numberAt(body, 0) === 32 && length <= callsMax && length * word <= body.length ? length : null
}

/** Whether the words are those of one `(bool success, bytes returnData)`, without more after it. */
const isWhole = (part: string) => part.length === (3 + Math.ceil(numberAt(part, 2) / 32)) * word

/** NaN for a word that is not there, and larger than any bound for one that is too large. */
function numberAt(body: string, index: number): number {
  return Number(`0x${body.slice(index * word, (index + 1) * word)}`)
}

const wordOf = (number: number) => number.toString(16).padStart(word, '0')
