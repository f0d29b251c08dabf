import { readFileSync } from 'node:fs'
import { connectionFaults, type FaultKind, faultKinds } from '../../../rpc-proxy/wire/fault.ts'

/**
 * What must happen at least once in a large run, or the run has tested less than it seems: every fault with every kind of
 * agreement, every verdict rule, every error, every way to end.
 */
export function wanted(): readonly string[] {
  return [...met(), ...rulesOf().map((rule) => `rule: ${rule}`), ...policies(), ...others]
}

const agreements = ['equality', 'lookup', 'logs', 'estimate', 'header', 'broadcast']
/** How a connection fails is one fault here; the last two have rows of their own or need a batch. */
const notDrawn: ReadonlySet<FaultKind> = new Set([
  ...connectionFaults.filter((kind) => kind !== 'connection'),
  'wrong-hash',
  'short-batch',
])
const faults = [...faultKinds.filter((kind) => !notDrawn.has(kind)), 'unsupported']

function met(): readonly string[] {
  const pairs = agreements.flatMap((agreement) => faults.map((fault) => `${agreement} ${fault}`))
  return [
    ...pairs.filter((pair) => !impossible.has(pair)),
    'equality result',
    'equality behind',
    'equality reverted',
    'equality rejected',
    'logs behind',
    'estimate behind',
    'estimate reverted',
    'estimate rejected',
    'broadcast known',
    'broadcast rejected',
    'broadcast wrong-hash',
  ].map((pair) => `met: ${pair}`)
}

/** Every kind of agreement by every rule, and what poisoned and unreachable operators must have led to. */
function policies(): readonly string[] {
  const kinds = ['everyday', 'tightened', 'protected', 'thin']
  const decided = ['equality', 'lookup', 'logs', 'estimate', 'highest', 'derived', 'head']
  return [
    ...kinds.flatMap((kind) => decided.map((agreement) => `policy: ${agreement} ${kind}`)),
    ...kinds.map((kind) => `policy: ${kind} from the cache`),
    ...kinds.map((kind) => `policy: ${kind}, one must vote`),
    'policy: a cached result was too weak',
    'policy: protected for an everyday caller',
    'policy: logs bridge',
    'policy: lookup bridge',
    'policy: poisoned voters outvoted',
    'policy: poisoned voters with a thin result',
    'policy: poisoned voters without a result',
    'failed: thin',
    'witness: outvoted',
    'witness: sent a call',
    'witness: sent a head poll',
  ]
}

const impossible = new Set([
  // For work that the caller chose, these are no faults of the node.
  'logs too-large',
  'estimate too-large',
  'broadcast too-large',
  'logs error',
  'estimate error',
  'broadcast error',
  // A broadcast cancels no asks, and a late node is no fault.
  'broadcast cancelled',
  'broadcast timeout',
  // An aborted head poll is silence or is not counted.
  'header cancelled',
])

/** Rule names from the engine's sources, so that new rules are included. */
function rulesOf(): readonly string[] {
  const sources = ['verdict', 'lookup', 'number-strategies'].map((name) =>
    readFileSync(new URL(`../../../rpc-proxy/quorum/${name}.ts`, import.meta.url), 'utf8'),
  )
  const names = sources.flatMap((source) => [...source.matchAll(/label: '([^']+)'/g)].map(([, name]) => name))
  return [...new Set(names as string[])]
}

const others = [
  'cache: hit',
  'cache: hit of a minority',
  'cache: miss',
  'cache: shared',
  'cache: hit older than a distrust',
  'caller: left',
  'configuration: reloaded',
  'end: close',
  'end: drain',
  'event: dissent',
  'event: distrust',
  'event: equivocation',
  'event: head',
  'event: reorg',
  'event: shed',
  'event: stall',
  'failed: disagree',
  'failed: heads',
  'failed: silent',
  'node: ejected',
  'node: cordoned',
  'node: open',
  'node: rate-limited',
  'node: usable',
  ...[
    '3',
    '-32000',
    '-32001',
    '-32003',
    '-32005',
    '-32010',
    '-32600',
    '-32601',
    '-32602',
    '-32700',
    '4444',
  ].map((code) => `error: ${code}`),
]
