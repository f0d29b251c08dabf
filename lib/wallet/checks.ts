/** The hash of a transaction. */
export function isHash(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}

/** Validates a transaction record; throws the first fault. */
export function checkRecord(record: {
  readonly hash: unknown
  readonly description: unknown
  readonly confirmations?: unknown
}): void {
  if (!isHash(record.hash)) throw new Error('Invalid transaction hash')
  if (typeof record.description !== 'string') throw new Error('Transaction must have a description')
  const { confirmations } = record
  if (confirmations !== undefined && (!Number.isInteger(confirmations) || Number(confirmations) < 1)) {
    throw new Error('Transaction confirmations must be a positive integer')
  }
}

/** A wallet's accent must be a hex colour, `#rgb` or `#rrggbb`; throws an error that names the wallet. */
export function checkAccent({
  name,
  iconAccent,
}: {
  readonly name: string
  readonly iconAccent?: string | undefined
}): void {
  if (iconAccent && !/^#([0-9a-f]{3}){1,2}$/i.test(iconAccent)) {
    throw new Error(`Property \`iconAccent\` is not a hex value for wallet: ${name}`)
  }
}
