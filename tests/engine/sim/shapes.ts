import { type Client, clients, formatReply } from '../../../demo/nodes/clients/reply-format.ts'

/**
 * The fields of results that count, after the specification and independent of the engine: every field that a client can
 * act on. `q` is a quantity, `d` is data, `b` a boolean.
 */
export type Shape = 'quantity' | 'data' | 'block' | 'transaction' | 'receipt' | 'logs' | 'fee-history'
type Type =
  | 'q'
  | 'd'
  | 'b'
  | 'hashes'
  | 'logs'
  | 'transactions'
  | 'numbers'
  | 'quantities'
  | 'blob-fees'
  | 'rewards'
  | 'json'
type Fields = readonly (readonly [name: string, type: Type])[]

const q = (...names: string[]) => names.map((name) => [name, 'q'] as const)
const d = (...names: string[]) => names.map((name) => [name, 'd'] as const)

export const fieldsOf: Readonly<Record<'block' | 'transaction' | 'receipt' | 'log' | 'fee-history', Fields>> =
  {
    block: [
      ...q('number', 'difficulty', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'),
      ...d('hash', 'parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot'),
      ...d('logsBloom', 'extraData', 'mixHash', 'nonce'),
      ['transactions', 'transactions'],
      ['uncles', 'hashes'],
    ],
    transaction: [
      ...q('type', 'nonce', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'gas', 'value', 'r', 's'),
      ...d('hash', 'from', 'to', 'input', 'blockHash'),
      ...q('blockNumber', 'transactionIndex'),
    ],
    receipt: [
      ...d('transactionHash', 'blockHash', 'from', 'to', 'contractAddress', 'logsBloom'),
      ...q(
        'transactionIndex',
        'blockNumber',
        'status',
        'cumulativeGasUsed',
        'gasUsed',
        'effectiveGasPrice',
        'type',
      ),
      ['logs', 'logs'],
    ],
    log: [
      ...d('address', 'data', 'blockHash', 'transactionHash'),
      ['topics', 'hashes'],
      ...q('blockNumber', 'transactionIndex', 'logIndex'),
      ['removed', 'b'],
    ],
    'fee-history': [
      ...q('oldestBlock'),
      ['baseFeePerGas', 'quantities'],
      ['baseFeePerBlobGas', 'blob-fees'],
      ['gasUsedRatio', 'numbers'],
      ['reward', 'rewards'],
    ],
  }

/** Equal results have equal texts. A value of the wrong shape is its own JSON, marked. */
export function meaningOf(shape: Shape, value: unknown): string {
  if (value === null) return 'null'
  try {
    return JSON.stringify(normal(shape, value))
  } catch {
    return `odd ${JSON.stringify(value)}`
  }
}

function normal(shape: Shape, value: unknown): unknown {
  switch (shape) {
    case 'quantity':
      return quantity(value)
    case 'data':
      return data(value)
    case 'logs':
      return logs(value)
    default:
      return object(fieldsOf[shape], value)
  }
}

function object(fields: Fields, value: unknown): unknown {
  const given = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(fields.map(([name, type]) => [name, member(type, given[name])]))
}

function member(type: Type, value: unknown): unknown {
  if (value === undefined || value === null) return type === 'b' ? false : null
  switch (type) {
    case 'q':
      return quantity(value)
    case 'd':
      return data(value)
    case 'hashes':
      return (value as unknown[]).map(data)
    case 'quantities':
      return (value as unknown[]).map(quantity)
    case 'blob-fees': {
      // Without blob fees, clients send no list, zeros or ones (the minimum fee).
      const fees = (value as unknown[]).map(quantity)
      return fees.every((fee) => fee === '0x0' || fee === '0x1') ? null : fees
    }
    case 'rewards': {
      // Without percentiles, clients send no rewards, an empty list or a list of empty lists.
      const rows = (value as unknown[][]).map((row) => row.map(quantity))
      return rows.every((row) => row.length === 0) ? null : rows
    }
    case 'logs':
      return logs(value)
    case 'transactions':
      return (value as unknown[]).map((item) =>
        typeof item === 'string' ? data(item) : object(fieldsOf.transaction, item),
      )
    default:
      return value
  }
}

function logs(value: unknown): unknown {
  const read = (value as unknown[]).map((item) => object(fieldsOf.log, item) as Record<string, string>)
  const positionOf = (log: Record<string, string>) =>
    [log.blockNumber, log.transactionIndex, log.logIndex].map(Number)
  return read.sort((one, other) => {
    const [a, b] = [positionOf(one), positionOf(other)]
    return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0)
  })
}

function quantity(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]+$/i.test(value)) throw new Error('no quantity')
  return `0x${value
    .slice(2)
    .toLowerCase()
    .replace(/^0+(?=.)/, '')}`
}

function data(value: unknown): string {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value)) throw new Error('no data')
  return value.toLowerCase()
}

/** Forms in which honest nodes write the same value. */
export const dialects = ['plain', 'upper', 'vendor', 'padded', ...clients] as const
export type Dialect = 'plain' | 'upper' | 'vendor' | 'padded' | Client

/** The client with this dialect; null for invented dialects. */
export function makeOf(dialect: Dialect): Client | null {
  return clients.find((make) => make === dialect) ?? null
}

/** A method with this shape. All clients write the other shapes in the same way. */
const methodOf: Partial<Readonly<Record<Shape, string>>> = {
  block: 'eth_getBlockByNumber',
  transaction: 'eth_getTransactionByHash',
  receipt: 'eth_getTransactionReceipt',
  logs: 'eth_getLogs',
  'fee-history': 'eth_feeHistory',
}

export function render(shape: Shape, value: unknown, dialect: Dialect): string {
  if (dialect === 'plain' || value === null) return JSON.stringify(value)
  const make = makeOf(dialect)
  if (make !== null) return JSON.stringify(formatReply(make, methodOf[shape] ?? '', [], value))
  return JSON.stringify(spoken(shape, value, dialect))
}

function spoken(shape: Shape | 'log', value: unknown, dialect: Dialect): unknown {
  if (shape === 'quantity') return spokenQuantity(value as string, dialect)
  if (shape === 'data') return spokenData(value as string, dialect)
  if (shape === 'logs') return spokenLogs(value as unknown[], dialect)
  const given = value as Readonly<Record<string, unknown>>
  const types = new Map(fieldsOf[shape])
  const entries = Object.entries(given).map(
    ([name, inner]) => [name, spokenMember(types.get(name) ?? 'json', inner, dialect)] as const,
  )
  if (dialect === 'vendor')
    return Object.fromEntries([...entries.reverse(), ['totalDifficulty', '0x7'], ['vendorSize', '0x2a']])
  return Object.fromEntries(entries)
}

function spokenMember(type: Type, value: unknown, dialect: Dialect): unknown {
  if (value === null || value === undefined) return value
  if (type === 'q') return spokenQuantity(value as string, dialect)
  if (type === 'd') return spokenData(value as string, dialect)
  if (type === 'hashes') return (value as string[]).map((item) => spokenData(item, dialect))
  if (type === 'quantities' || type === 'blob-fees')
    return (value as string[]).map((item) => spokenQuantity(item, dialect))
  if (type === 'logs') return spokenLogs(value as unknown[], dialect)
  if (type === 'transactions')
    return (value as unknown[]).map((item) =>
      typeof item === 'string' ? spokenData(item, dialect) : spoken('transaction', item, dialect),
    )
  return value
}

function spokenLogs(value: readonly unknown[], dialect: Dialect): unknown[] {
  const all = value.map((item) => spoken('log', item, dialect))
  return dialect === 'vendor' ? all.reverse() : all
}

function spokenQuantity(value: string, dialect: Dialect): string {
  // A full 32-byte word cannot have another zero.
  if (dialect === 'padded' && value.length < 66) return `0x0${value.slice(2)}`
  return dialect === 'upper' ? spokenData(value, dialect) : value
}

function spokenData(value: string, dialect: Dialect): string {
  return dialect === 'upper' ? `0x${value.slice(2).toUpperCase()}` : value
}
