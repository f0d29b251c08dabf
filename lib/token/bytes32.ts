/** The text is terminated by a zero byte. */
const bytesMax = 31

/** The text in a bytes32, as early tokens return their name; throws when it is not one. */
export function textOfBytes32(hex: string): string {
  if (!/^0x[0-9a-f]{64}$/i.test(hex)) throw new Error('invalid bytes32')
  const bytes = Uint8Array.from({ length: 32 }, (_, at) =>
    Number.parseInt(hex.slice(2 + 2 * at, 4 + 2 * at), 16),
  )
  const end = bytes.indexOf(0)
  if (end === -1) throw new Error(`invalid bytes32 string; must be under ${bytesMax + 1} bytes`)
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))
}
