/** A text in a bytes32 is shorter than that: a zero ends it. */
const bytesMax = 31

/** The short text that a bytes32 holds, as tokens of 2017 tell their name; throws where it is none. */
export function textOfBytes32(hex: string): string {
  if (!/^0x[0-9a-f]{64}$/i.test(hex)) throw new Error('invalid bytes32')
  const bytes = Uint8Array.from({ length: 32 }, (_, at) =>
    Number.parseInt(hex.slice(2 + 2 * at, 4 + 2 * at), 16),
  )
  const end = bytes.indexOf(0)
  if (end === -1) throw new Error(`invalid bytes32 string; must be under ${bytesMax + 1} bytes`)
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))
}
