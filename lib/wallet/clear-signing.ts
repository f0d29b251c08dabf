import { type Descriptor, type DisplayField, format, isFieldGroup } from '@ethereum-sourcify/clear-signing'
import {
  type AbiFunction,
  type AbiParameter,
  checksumAddress,
  type Hex,
  parseAbiItem,
  toFunctionSelector,
} from 'viem'
import { descriptors } from '#descriptors'
import { randomHex } from '#lib/bytes.ts'
import { agreedValue, type ReadCalls } from '#lib/page/reading.ts'
import { labelQuestions, readLabel } from '#lib/token/erc20.ts'
import { erc20Descriptor } from '#lib/token/erc20-descriptor.ts'
import registry from '#registry' with { type: 'json' }
import { contractNameAt } from '../reads/deployed.ts'
import type { CallDisplay, ContractDescriptor, DescribedAmount, DescribedText } from './call-display.ts'
import { type CallLabel, labelCall, visibleText } from './call-label.ts'
import type { Intent, Plan, PlannedCall } from './plan.ts'
import type { TokenLabel } from './reviewed.ts'

const ofFork: Readonly<Record<string, ContractDescriptor>> = descriptors

type OwnDescriptor = ContractDescriptor['descriptor']

type Called = Pick<Intent, 'chainId' | 'to'>

interface Means {
  readonly readCalls: ReadCalls
  readonly isLocal: boolean
}

/** The plan with what the descriptors say of its calls. Those of tokens have words of their own. */
export async function withDisplays(plan: Plan, means: Means): Promise<Plan> {
  const described = plan.calls.map(async (call): Promise<PlannedCall> => {
    const display =
      call.meaning.kind === 'call' ? await displayCall(call.intent, means).catch(() => null) : null
    return display ? { ...call, display } : call
  })
  const [own = plan.calls[0], ...others] = await Promise.all(described)
  return { ...plan, calls: [own, ...others] }
}

/** What a descriptor says of a call; null without one that fits its bytes. */
export async function displayCall(intent: Intent, means: Means): Promise<CallDisplay | null> {
  const labelOf = labelReader(means.readCalls)
  const descriptor = await findDescriptor(intent, { ...means, labelOf })
  const signed = descriptor && functionOf(descriptor, intent.data)
  // viem refuses what its decoder bounds; the library's loops over any length that the bytes claim.
  const label = signed && labelCall([signed.item], intent.data)
  if (!signed || !label) return null
  // Random, so that no text of the call can pretend to be an amount.
  const mark = randomHex(16)
  const model = await formatCall(descriptor, intent, mark)
  if (!model.fields || model.rawCalldataFallback || typeof model.intent !== 'string') return null
  const all = allFields(model.fields)
  // Whether the words of a call inside of this one are true nobody has checked.
  if (all.some(({ format: kind }) => kind === embedded)) return null
  const read = textReader(labelOf, mark)
  const fields = await Promise.all(
    all.map(async ({ separator, label: name, value, rawAddress }) => ({
      label: visibleText(separator ? `${separator}: ${name}` : name),
      value: await read(value),
      ...(rawAddress && { address: rawAddress }),
    })),
  )
  const isOfAmount = all.map(({ format: kind }) => kind === 'amount' || kind === 'tokenAmount')
  const ofAmounts = fields.filter((_, index) => isOfAmount[index])
  const sentence = model.interpolatedIntent
    ? await read(model.interpolatedIntent)
    : joinAmounts(visibleText(model.intent), ofAmounts)
  return {
    sentence:
      lengthOf(sentence) <= sentenceMax ? sentence : [visibleText(model.intent.slice(0, sentenceMax))],
    fields,
    amounts: ofAmounts.flatMap(({ value }) => value.filter(isAmount)),
    omitted: omittedOf(signed, descriptor, label),
    ...label,
  }
}

/** Most descriptors have no sentence: `Supply 5 USDC`, or `Swap: Send 5 USDC, Receive 3 ETH`. */
function joinAmounts(intent: string, fields: CallDisplay['fields']): DescribedText {
  const [first, ...others] = fields
  if (!first) return [intent]
  if (others.length === 0) return [`${intent} `, ...first.value]
  return [
    intent,
    ...fields.flatMap(({ label, value }, index) => [`${index === 0 ? ':' : ','} ${label} `, ...value]),
  ]
}

/** Stands for the format of a call inside of a call. */
const embedded = 'embedded'

/** Of a longer sentence the intent is shown, and its fields below. */
export const sentenceMax = 160

const lengthOf = (text: DescribedText) =>
  text.reduce((length, part) => length + (typeof part === 'string' ? part.length : 1), 0)

const isAmount = (part: string | DescribedAmount): part is DescribedAmount & { units: bigint } =>
  typeof part !== 'string' && part.units !== null

type LabelOf = (token: Hex) => Promise<TokenLabel | null>

/** Labels of tokens as they say themselves through the quorum, each read once. */
function labelReader(readCalls: ReadCalls): LabelOf {
  const labels = new Map<string, Promise<TokenLabel | null>>()
  const read = async (token: Hex) => {
    const [decimals, symbol] = await readCalls(labelQuestions(token))
    return readLabel(agreedValue(decimals), agreedValue(symbol))
  }
  return (token) => {
    const label = labels.get(token) ?? read(token)
    labels.set(token, label)
    return label
  }
}

/**
 * The fork's own first, then that of ERC-20 where the contract has decimals (an item of ERC-721 moves by the same bytes), then the public
 * registry's.
 */
async function findDescriptor(
  { chainId, to, data }: Intent,
  { isLocal, labelOf }: Means & { readonly labelOf: LabelOf },
): Promise<OwnDescriptor | null> {
  const name = contractNameAt(to, { chainId, isLocal })
  const own = Object.entries(ofFork).find(
    ([key, { descriptor }]) =>
      (key === name || isOf(descriptor, { chainId, to })) && functionOf(descriptor, data) !== null,
  )
  if (own) {
    const [, { descriptor, local }] = own
    return isLocal && local ? withConstants(descriptor, local) : descriptor
  }
  if (functionOf(erc20Descriptor, data) && (await labelOf(to))) return erc20Descriptor
  const found = await findInRegistry({ chainId, to })
  return found && functionOf(found, data) ? found : null
}

/** What `npm run describe -- update` brought, at the hashes that it pinned. */
async function findInRegistry({ chainId, to }: Called): Promise<OwnDescriptor | null> {
  if (registry.integrity === '') return null
  const index = (await fetchPinned('index.json', registry.integrity)) as RegistryIndex
  const path = index.contracts[`eip155:${chainId}:${to.toLowerCase()}`]
  const integrity = path && index.files[path]
  return integrity ? ((await fetchPinned(path, integrity)) as OwnDescriptor) : null
}

interface RegistryIndex {
  readonly contracts: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
}

/** The browser refuses another content. */
async function fetchPinned(path: string, integrity: string): Promise<unknown> {
  const response = await fetch(`/descriptors/${path}`, { integrity })
  if (!response.ok) throw new Error(`no descriptor: ${path}`)
  return response.json()
}

function isOf({ context }: OwnDescriptor, { chainId, to }: Called): boolean {
  const isHere = (one: { chainId?: number; address?: string }) =>
    one.chainId === chainId && one.address?.toLowerCase() === to.toLowerCase()
  return context?.contract?.deployments?.some(isHere) === true
}

/** Without what could write an amount as another one. */
function cleaned(descriptor: OwnDescriptor): Descriptor {
  return JSON.parse(JSON.stringify(descriptor), (key, value: unknown) => {
    if (key === 'threshold' || key === 'message' || key === 'encryption') return undefined
    if (key === 'format' && value === 'calldata') return embedded
    // The amounts of the called token are written as it says itself.
    return value === '$.metadata.token' ? '@.to' : value
  }) as Descriptor
}

function withConstants(
  { metadata, ...rest }: OwnDescriptor,
  local: Readonly<Record<string, string>>,
): OwnDescriptor {
  return { ...rest, metadata: { ...metadata, constants: { ...metadata?.constants, ...local } } }
}

interface Signed {
  readonly key: string
  readonly item: AbiFunction
}

/** The function of a descriptor that these bytes call. */
function functionOf({ display }: OwnDescriptor, data: Hex): Signed | null {
  const selector = data.slice(0, 10).toLowerCase()
  for (const key of Object.keys(display?.formats ?? {})) {
    const item = parseFunction(key)
    if (item && toFunctionSelector(item) === selector) return { key, item }
  }
  return null
}

/** The key of a format: `stake(uint256 amount)`. Null where it is none. */
export function parseFunction(key: string): AbiFunction | null {
  try {
    const item = parseAbiItem(`function ${key}`) as AbiFunction
    return item.type === 'function' ? item : null
  } catch {
    return null
  }
}

/** The library's words, with amounts in smallest units, and `mark` around the address of their token or around nothing for the coin. */
export function formatCall(
  descriptor: OwnDescriptor,
  { chainId, from, to, value, data }: Omit<Intent, 'hasOwners'>,
  mark: string,
) {
  const bound = {
    ...cleaned(descriptor),
    context: { contract: { deployments: [{ chainId, address: to }] } },
  }
  return format(
    { chainId, from, to, value, data },
    {
      descriptorResolverOptions: {
        type: 'custom',
        resolver: {
          index: { calldataIndex: { [`eip155:${chainId}:${to.toLowerCase()}`]: 'own' }, typedDataIndex: {} },
          fetchDescriptor: async () => bound,
        },
      },
      externalDataProvider: {
        resolveToken: async (id, token) =>
          id === chainId ? { name: '', symbol: `${mark}${token}${mark}`, decimals: 0 } : null,
        resolveChainInfo: async (id) =>
          id === chainId
            ? { name: `${id}`, nativeCurrency: { name: '', symbol: mark + mark, decimals: 0 } }
            : null,
      },
    },
  )
}

function textReader(labelOf: LabelOf, mark: string): (text: string) => Promise<DescribedText> {
  const marked = new RegExp(`(?:(?<![\\d.])(\\d+) )?${mark}(0x[0-9a-f]{40})?${mark}`)
  return async (text) => {
    const parts = text.split(marked)
    const pieces = parts.map(async (part, index): Promise<string | DescribedAmount | null> => {
      // Each text is followed by the units and the token of a mark.
      if (index % 3 === 0) return visibleText(part)
      if (index % 3 === 1) return null
      const units = parts[index - 1] as string | undefined
      const token = part === undefined ? null : checksumAddress(part as Hex)
      return {
        token,
        label: token && (await labelOf(token)),
        units: units === undefined ? null : BigInt(units),
      }
    })
    return (await Promise.all(pieces)).filter((piece) => piece !== null && piece !== '') as DescribedText
  }
}

function allFields(fields: readonly unknown[]): readonly DisplayField[] {
  return (fields as readonly DisplayField[]).flatMap((one) =>
    isFieldGroup(one) ? allFields(one.fields) : [one],
  )
}

/** The arguments that a field does not show as a whole and always. */
function omittedOf(
  { key, item }: Signed,
  { display }: OwnDescriptor,
  { args }: CallLabel,
): CallLabel['args'] {
  const visiblePaths = new Set(pathsOf(display?.formats?.[key]?.fields ?? [], display?.definitions ?? {}, ''))
  return args.filter((_, index) => {
    const input = item.inputs[index]
    return !input || leavesOf(input, '').some((path) => !visiblePaths.has(path))
  })
}

/** The paths that the fields of a format show. */
function pathsOf(
  fields: readonly object[],
  definitions: Readonly<Record<string, object>>,
  prefix: string,
): readonly string[] {
  return fields.flatMap((one) => {
    const reference = '$ref' in one ? String(one.$ref).replace('$.display.definitions.', '') : ''
    const field: { path?: unknown; visible?: unknown; fields?: unknown } = {
      ...definitions[reference],
      ...one,
    }
    const { path, visible, fields: children } = field
    const full = [prefix, String(path ?? '').replace(/^#\.?/, '')].filter((part) => part !== '').join('.')
    if (Array.isArray(children)) return pathsOf(children, definitions, full)
    const isAlways = visible === undefined || visible === 'always' || visible === 'optional'
    return isAlways && path !== undefined ? [full] : []
  })
}

/** The paths of all values in a parameter, as descriptors write them. */
function leavesOf({ name = '', type, ...rest }: AbiParameter, prefix: string): readonly string[] {
  const path = [prefix, name, ...(type.match(/\[\d*\]/g) ?? []).map(() => '[]')]
    .filter((part) => part !== '')
    .join('.')
  if (!('components' in rest)) return [path]
  return rest.components.flatMap((component) => leavesOf(component, path))
}
