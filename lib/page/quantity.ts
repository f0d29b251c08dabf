/** A JSON-RPC quantity as a bigint; null for anything else. */
export function toUnits(value: unknown): bigint | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : null
}
