/** A JSON-RPC quantity as a bigint; null for anything else. */
export function toUnits(value: unknown): bigint | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : null
}

/** The same as a number, such as a block's or a nonce; null for anything else. */
export function toNumber(value: unknown): number | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : null
}

/** A number as JSON-RPC writes it. */
export function toHex(value: number | bigint): `0x${string}` {
  return `0x${value.toString(16)}`
}
