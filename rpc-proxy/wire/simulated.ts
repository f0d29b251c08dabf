import {
  address,
  type Codec,
  data,
  hash,
  list,
  type Merging,
  nullable,
  objectOf,
  preprocess,
  quantity,
  raise,
  scalar,
  withDefault,
} from './codecs.ts'
import { agreedFields, agreedValue, record } from './record.ts'

type Object = Readonly<Record<string, unknown>>

export const simulatedLog = record({ address, topics: list(hash), data })

/** How a call ended badly, by the codes of execution-apis: it reverted, or the virtual machine gave up. */
const reverted = 3
const halted = -32015
/** What older nodes number both with, as much else: their words tell which it was. */
const ambiguous: ReadonlySet<unknown> = new Set([-32000, halted])

const code = scalar((value) => (Number.isInteger(value) ? value : raise()))
const callResult = record({
  status: quantity,
  returnData: data,
  gasUsed: quantity,
  logs: withDefault(list(simulatedLog), []),
  error: nullable(record({ code, data })),
})

/**
 * What a call of eth_simulateV1 did. That it failed, how, and with which data are compared; the words are each node's own, so
 * that those are returned on which enough agree, else ours.
 */
export const simulatedCall = preprocess(settled, {
  read: callResult.read,
  merge: (calls, merging) => {
    const { error, ...merged } = callResult.merge(calls, merging) as Object
    return error == null ? merged : { ...merged, error: failure(error, calls as readonly Object[], merging) }
  },
})

/**
 * A failed call with one code and its revert data in both places where it may stand: some nodes have it in `returnData`, some in
 * `error.data`, and where there is none say `0x` or nothing. Where both are given and differ they stay, and differ from others.
 */
function settled(value: unknown): Object {
  const call = objectOf(value)
  if (call.error == null) return call
  const error = objectOf(call.error)
  const returned = [error.data, call.returnData].find((each) => each != null && each !== '0x') ?? '0x'
  const or = (given: unknown) => (given == null || given === '0x' ? returned : given)
  return {
    ...call,
    returnData: or(call.returnData),
    error: { ...error, code: codeOf(error, returned), data: or(error.data) },
  }
}

/** -32000 and -32015 have stood for both; that data came with it tells a revert too, where the number says nothing. */
function codeOf({ code: given, message }: Object, returned: unknown): unknown {
  if (!ambiguous.has(given)) return given
  const isRevert = (given !== halted && returned !== '0x') || /revert/i.test(String(message))
  return isRevert ? reverted : halted
}

const words: Readonly<Record<number, string>> = {
  [reverted]: 'execution reverted',
  [halted]: 'vm execution error',
}

function failure(error: unknown, calls: readonly Object[], merging: Merging): Object {
  const { data, ...rest } = error as { readonly code: number; readonly data: string }
  const text = agreedValue(
    calls.map((call) => {
      const { message } = call.error as Object
      return typeof message === 'string' ? message : null
    }),
    merging,
  )
  const message = text ?? words[rest.code] ?? 'execution failed'
  const isBare = data === '0x' && rest.code !== reverted
  return { ...rest, ...(!isBare && { data }), message }
}

/**
 * Transactions of a made-up block, whose hashes differ with the block's (https://github.com/ethereum/execution-apis/issues/868):
 * never compared, and of each what enough nodes have alike. Whoever asked for them whole gets the fields that do agree.
 */
const simulatedTransactions: Codec = {
  read: () => undefined,
  merge: (values, merging) => {
    const length = agreedValue(
      values.map((value) => (Array.isArray(value) ? value.length : null)),
      merging,
    )
    if (length === undefined) return
    const items = Array.from({ length: Number(length) }, (_, index) =>
      agreedTransaction(
        values.map((value) => (Array.isArray(value) && value.length === length ? value[index] : null)),
        merging,
      ),
    )
    return items.includes(undefined) ? undefined : items
  },
}

function agreedTransaction(values: readonly unknown[], merging: Merging): unknown {
  const whole = agreedValue(values, merging)
  if (whole !== undefined) return whole
  const objects = values.map((value) =>
    typeof value === 'object' && value !== null ? (value as Object) : {},
  )
  const fields = agreedFields(objects, merging)
  return Object.keys(fields).length === 0 ? undefined : fields
}

/** eth_simulateV1: what the calls did. The made-up block around them is returned as far as the nodes agree on it. */
export const simulatedBlock = record({
  number: quantity,
  timestamp: quantity,
  gasLimit: quantity,
  gasUsed: quantity,
  baseFeePerGas: nullable(quantity),
  transactions: simulatedTransactions,
  calls: list(simulatedCall),
})
export const simulation = list(simulatedBlock)
