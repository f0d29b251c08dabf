import { onchainTable } from 'ponder'

export const block = onchainTable('block', (column) => ({
  number: column.bigint().primaryKey(),
  hash: column.hex().notNull(),
  timestamp: column.bigint().notNull(),
}))

export const transfer = onchainTable('transfer', (column) => ({
  id: column.text().primaryKey(),
  block: column.bigint().notNull(),
  from: column.hex().notNull(),
  to: column.hex().notNull(),
  value: column.bigint().notNull(),
}))
