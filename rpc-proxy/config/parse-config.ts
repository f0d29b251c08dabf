import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { z } from 'zod'
import { methods } from '../methods/table.ts'
import { bridgeOperatorsMin, electoratesOf, operatorsMax } from '../quorum/electorate.ts'
import type { CallerConfig, ChainConfig, Config, NodeConfig } from './config-types.ts'
import {
  callerFields,
  callerSchema,
  chainFields,
  chainSchema,
  mustBeUrl,
  nodeFields,
  nodeSchema,
  rootSchema,
  weightSchema,
} from './fields.ts'
import { fillIn, fillInUrl, parseAddress, type Variables } from './node-url.ts'

/**
 * A configuration was refused: every fault, each naming chain and node, none repeating a value.
 *
 * @example
 * if (error instanceof ConfigError) console.error(error.faults.join('\n'))
 */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`configuration refused:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/** Where a fault is and how to tell it; `at` is like 'chain 137, node "a"'. */
type Report = (at: string, fault: string) => void

/**
 * Parses and checks a configuration, filling in every default.
 *
 * `env` fills `${NAME}` in the urls and headers of enabled nodes. Throws ConfigError with every fault listed at once; a
 * fault names chain and node and never repeats a value, because urls and headers hold keys.
 *
 * @example
 * const config = parseConfig(
 *   { version: 1, chains: [{ id: 137, nodes: [{ name: 'a', url: 'https://a.example/${KEY}' }] }] },
 *   { KEY: 'secret' },
 * )
 */
export function parseConfig(value: unknown, env: Variables): Config {
  const faults = new Set<string>()
  const report: Report = (at, fault) => faults.add(at === '' ? fault : `${at}: ${fault}`)

  const root = parse(rootSchema, value, '', report)
  const chains = listOf(value, 'chains').map((chain, index) => parseChain(chain, index, env, report))
  reportDuplicates(listOf(value, 'chains'), 'id', (id) => report(`chain ${id}`, 'duplicate chain'))

  const callers = listOf(value, 'callers').map((caller, index) => parseCaller(caller, index, env, report))
  reportDuplicates(listOf(value, 'callers'), 'name', (name) => report(`caller "${name}"`, 'duplicate name'))
  const hashes = callers.flatMap((caller) => caller?.keyHash ?? [])
  if (new Set(hashes).size < hashes.length) report('', 'two callers have one key')

  const nodes = chains.flatMap((chain) => chain?.nodes ?? [])
  reportPlans(nodes, report)

  // A method that is not served is refused anyway: naming one can only be a slip, and leave open what was to be closed.
  for (const method of root?.methods.deny ?? [])
    if (!methods.includes(method)) report('', `invalid methods.deny; "${method}" is no method that is served`)
  if (root === null || faults.size > 0) throw new ConfigError([...faults])
  return {
    ...root,
    chains: chains.filter((chain) => chain !== null),
    callers: callers.filter((caller) => caller !== null),
  }
}

function parseChain(value: unknown, index: number, env: Variables, report: Report): ChainConfig | null {
  const id = chainFields.id.safeParse(fieldOf(value, 'id'))
  const at = id.success ? `chain ${id.data}` : `chains[${index}]`
  const chain = parse(chainSchema, value, at, report)
  const listed = listOf(value, 'nodes')
  const nodes = listed.map((node, place) => parseNode(node, place, at, env, report))
  reportDuplicates(listed, 'name', (name) => report(`${at}, node "${name}"`, 'duplicate name'))

  const weights = operatorWeights(listed)
  if (weights === null) return null
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const voters = [...weights.values()].filter((weight) => weight > 0).length
  // Read by themselves, so that a fault of another field hides none of these.
  const quorum = chainFields.quorum.safeParse(fieldOf(value, 'quorum')).data ?? total / 2
  const operatorsMin = chainFields.operatorsMin.safeParse(fieldOf(value, 'operatorsMin')).data ?? 1
  if (listed.length > 0 && voters === 0) report(at, 'no voter is enabled')
  if (voters > 0 && quorum > total) report(at, 'quorum will always fail; larger than total weight')
  if (weights.size > operatorsMax) report(at, `too many operators; at most ${operatorsMax}`)
  if (voters > 0 && operatorsMin > voters)
    report(at, 'operatorsMin will always fail; larger than the number of operators')
  if (chain === null) return null
  for (const method of chain.protect.methods)
    if (!methods.includes(method))
      report(at, `invalid protect.methods; "${method}" is no method that is served`)

  if (chain.protect.policy === 'bridge' && weights.size < bridgeOperatorsMin)
    report(at, `protect "bridge" will always fail; it takes ${bridgeOperatorsMin} operators`)

  return {
    ...chain,
    beacon: parseBeacon(chain, at, env, report),
    quorum,
    total,
    nodes: nodes.filter((node) => node !== null).filter((node) => node.enabled),
  }
}

/**
 * What an operator should know of the nodes of a chain before it is served: two operators that are more than half of its voters and
 * witnesses, so that an attacker who controls both controls every result. Null where there is nothing to say.
 *
 * @example
 * for (const chain of config.chains) if (chainRisk(chain) !== null) console.warn(chainRisk(chain))
 */
export function chainRisk(chain: ChainConfig): string | null {
  const { weights, total } = electoratesOf(chain).tightened
  const [first = 0, second = 0] = weights.toSorted((one, other) => other - one)
  return (first + second) * 2 > total
    ? `chain ${chain.id}: two operators are more than half of all weight; add voters or witnesses (docs/risk.md)`
    : null
}

/** Its urls are filled in as those of nodes. */
function parseBeacon(
  { id, beacon }: { readonly id: number; readonly beacon: ChainConfig['beacon'] },
  at: string,
  env: Variables,
  report: Report,
): ChainConfig['beacon'] {
  if (beacon === null) return null
  const addFault = (fault: string) => report(`${at}, beacon`, fault)
  if (id !== 1) addFault('only chain 1 has a sync committee')
  const urls = beacon.urls.map((template) => {
    const url = fillInUrl(template, env, addFault)
    const address = url === null ? null : parseAddress(url)
    if (url !== null && address === null) addFault(`invalid url; ${mustBeUrl}`)
    if (address?.authorization !== undefined) addFault('user info in a url; beacon APIs take none')
    return url ?? ''
  })
  if (new Set(urls).size < urls.length) addFault('duplicate url')
  return { ...beacon, urls }
}

/** Weight by operator, each as its heaviest enabled voter, 0 for one with witnesses only; null where a voter cannot be read, so that no sum is right. */
function operatorWeights(nodes: readonly unknown[]): ReadonlyMap<string, number> | null {
  const weights = new Map<string, number>()
  for (const node of nodes) {
    const entry = weightSchema.safeParse(node)
    if (!entry.success) return null
    const { name, operator = name, weight, role, enabled } = entry.data
    if (enabled) weights.set(operator, Math.max(role === 'voter' ? weight : 0, weights.get(operator) ?? 0))
  }
  return weights
}

function parseNode(
  value: unknown,
  index: number,
  chain: string,
  env: Variables,
  report: Report,
): NodeConfig | null {
  const name = nodeFields.name.safeParse(fieldOf(value, 'name'))
  const at = `${chain}, ${name.success ? `node "${name.data}"` : `nodes[${index}]`}`
  const node = parse(nodeSchema, value, at, report)
  if (node === null) return null

  // A disabled node may name variables that are not set yet.
  const addFault = (fault: string) => report(at, fault)
  const fill = (text: string) => (node.enabled ? fillIn(text, env, addFault) : text)
  const headers = parseHeaders(node.headers, fill, addFault)
  const filled = node.enabled ? fillInUrl(node.url, env, addFault) : node.url
  const address = filled === null ? null : parseAddress(filled)
  if (filled !== null && address === null) addFault(`invalid url; ${mustBeUrl}`)
  if (address?.authorization !== undefined && 'authorization' in headers)
    addFault('user info in the url and an authorization header; give one')

  return {
    ...node,
    url: address?.url ?? node.url,
    headers: { ...headers, ...(address?.authorization && { authorization: address.authorization }) },
  }
}

function parseHeaders(
  templates: Readonly<Record<string, string>>,
  fill: (text: string) => string | null,
  addFault: (fault: string) => void,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [header, template] of Object.entries(templates)) {
    const key = header.toLowerCase()
    const text = fill(template)
    if (Object.hasOwn(headers, key)) addFault(`duplicate header "${key}"`)
    if (text !== null && !headerValue.test(text)) addFault(`invalid value of header "${key}"`)
    headers[key] = text ?? ''
  }
  return headers
}

function parseCaller(value: unknown, index: number, env: Variables, report: Report): CallerConfig | null {
  const name = callerFields.name.safeParse(fieldOf(value, 'name'))
  const at = name.success ? `caller "${name.data}"` : `callers[${index}]`
  const caller = parse(callerSchema, value, at, report)
  if (caller === null) return null
  const { key: reference, keyHash, ...rest } = caller
  if ((reference === undefined) === (keyHash === undefined)) report(at, 'give keyHash or key')
  if (reference === undefined) return { ...rest, keyHash: keyHash ?? '' }
  const key = fillIn(reference, env, (fault) => report(at, fault))
  if (key !== null && !isKey(key)) report(at, invalidKey)
  return { ...rest, keyHash: hashOf(key ?? '') }
}

const invalidKey = 'invalid key; must be 24 to 128 of A-Z, a-z, 0-9, "-", "_"'

/** What can stand in a path as it is, and nobody guesses. */
const isKey = (text: string): boolean => /^[A-Za-z0-9_-]{24,128}$/.test(text)

/**
 * What a configuration has of a key: SHA-256, in hex.
 *
 * @example
 * const callers = [{ name: 'web', keyHash: hashOf(key) }]
 */
export const hashOf = (key: string): string => bytesToHex(sha256(utf8ToBytes(key)))

/** Runs a schema; reports each of its issues in words and answers null where there were any. */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, at: string, report: Report) {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  for (const issue of result.error.issues) {
    const place = issue.path.filter((step) => typeof step === 'string' && /^\w{1,64}$/.test(step)).join('.')
    if (issue.code !== 'unrecognized_keys')
      report(at, place === '' ? issue.message : `invalid ${place}; ${issue.message}`)
    else
      for (const key of issue.keys)
        report(at, `unknown key ${JSON.stringify([place, key.slice(0, 60)].filter(Boolean).join('.'))}`)
  }
  return null
}

/** Tells each plan whose nodes differ on what it is. */
function reportPlans(nodes: readonly NodeConfig[], report: Report): void {
  const perMonth = new Map<string, string>()
  for (const { plan, ...node } of nodes) {
    if (plan === null) continue
    const terms = `${node.perMonth} from ${node.monthBegins}`
    if (node.perMonth === null) report(`plan "${plan}"`, 'a node without perMonth')
    else if ((perMonth.get(plan) ?? terms) !== terms)
      report(`plan "${plan}"`, 'nodes with different perMonth or monthBegins')
    perMonth.set(plan, terms)
  }
}

/** Tells each name or id that stands twice; what is neither has been reported already. */
function reportDuplicates(
  items: readonly unknown[],
  key: 'id' | 'name',
  report: (duplicate: string | number) => void,
): void {
  const seen = new Set<unknown>()
  for (const item of items) {
    const value = fieldOf(item, key)
    const duplicate = chainFields.id.or(nodeFields.name).safeParse(value)
    if (duplicate.success && seen.has(duplicate.data)) report(duplicate.data)
    seen.add(value)
  }
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

function listOf(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key)
  return Array.isArray(list) ? list : []
}

/** Visible ASCII, spaces inside: nothing that could begin another header. */
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e\t]{0,8190}[\x21-\x7e])?$/
