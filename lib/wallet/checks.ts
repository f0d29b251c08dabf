/** The seed's rules for a transaction record, each with its sentence. Throws the first that is broken. */
export function checkRecord(record: {
  readonly hash: string
  readonly description: unknown
  readonly confirmations?: unknown
}): void {
  if (!/^0x[0-9a-fA-F]{64}$/.test(record.hash)) throw new Error('Invalid transaction hash')
  if (typeof record.description !== 'string') throw new Error('Transaction must have a description')
  const { confirmations } = record
  if (confirmations !== undefined && (!Number.isInteger(confirmations) || Number(confirmations) < 1)) {
    throw new Error('Transaction confirmations must be a positive integer')
  }
}
