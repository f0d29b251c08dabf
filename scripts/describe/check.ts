import {
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import type { ContractDescriptor } from '#lib/wallet/call-display.ts'
import { formatCall, parseFunction } from '#lib/wallet/clear-signing.ts'
import type { Deployment } from '../contracts/setup-chain.ts'

/** What is wrong with a descriptor, in words: each function in it is called once with a sample of its arguments. */
export async function descriptorFaults(
  { descriptor, local }: ContractDescriptor,
  deployment: Pick<Deployment, 'abi'> | undefined,
): Promise<readonly string[]> {
  const { context, metadata, display } = descriptor
  const formats = Object.entries(display?.formats ?? {})
  const unknown = Object.keys(local ?? {}).filter((name) => metadata?.constants?.[name] === undefined)
  const isNowhere = !deployment && !context?.contract?.deployments?.length
  const faults = await Promise.all(
    formats.map(async ([key, format]) =>
      (await formatFaults(descriptor, [key, format], deployment)).map((fault) => `${key}: ${fault}`),
    ),
  )
  return [
    ...(isNowhere ? ['no contract of deployments.ts has this name, and `context` has no addresses'] : []),
    ...(formats.length === 0 ? ['no function in display.formats'] : []),
    ...unknown.map((name) => `\`local\` has ${name}, which metadata.constants does not have`),
    ...faults.flat(),
  ]
}

async function formatFaults(
  descriptor: ContractDescriptor['descriptor'],
  [key, format]: readonly [key: string, format: { readonly intent?: unknown }],
  deployment: Pick<Deployment, 'abi'> | undefined,
): Promise<readonly string[]> {
  const item = parseFunction(key)
  if (!item) return ['not a function with its parameters']
  if (deployment && !hasWrite(deployment, item)) return ['the contract has no such function that writes']
  if (typeof format.intent !== 'string') return ['no intent in words']
  const data = encodeFunctionData({ abi: [item], args: item.inputs.map(sampleOf) })
  const call = { chainId: 1, from: zeroAddress, to: zeroAddress, value: 1n, data }
  const { warnings = [], fields = [] } = await formatCall(descriptor, call, 'mark')
  const ofFields = fields.flatMap(({ label, warning }) =>
    warning && isFault(warning) ? [`${label}: ${warning.message}`] : [],
  )
  return [...warnings.filter(isFault).map(({ message }) => message), ...ofFields]
}

/** What a sample cannot be: a value that has to match, has a word, or has a name. */
function isFault({ code, message }: { readonly code: string; readonly message: string }): boolean {
  const isOfSample =
    code === 'MUSTMATCH_VIOLATION' || code === 'EMPTY_ARRAY' || message.startsWith('Enum label')
  return !isOfSample && !code.startsWith('UNKNOWN_')
}

function hasWrite({ abi }: Pick<Deployment, 'abi'>, item: AbiFunction): boolean {
  const selector = toFunctionSelector(item)
  return abi.some(
    (one) =>
      one.type === 'function' &&
      (one.stateMutability === 'nonpayable' || one.stateMutability === 'payable') &&
      toFunctionSelector(one) === selector,
  )
}

/** Long enough for slices of bytes. */
const sampleBytes = 64

function sampleOf(input: AbiParameter): unknown {
  const { type } = input
  const [, element, length] = /^(.+)\[(\d*)\]$/.exec(type) ?? []
  if (element !== undefined)
    return Array.from({ length: Number(length || 1) }, () => sampleOf({ ...input, type: element }))
  if ('components' in input) return input.components.map(sampleOf)
  if (type === 'address') return zeroAddress
  if (type === 'bool') return true
  if (type === 'string') return 'text'
  if (type.startsWith('bytes')) return `0x${'01'.repeat(Number(type.slice(5) || sampleBytes))}`
  return 1n
}
