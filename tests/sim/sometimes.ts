import { readFileSync } from 'node:fs'

/**
 * What must have happened in a large enough run, or the run has shown less than it seems to: every fault to every kind of
 * agreement, every rule of the verdict, every error, every way to end.
 */
export function wanted(): readonly string[] {
  return [...met(), ...rulesOf().map((rule) => `rule: ${rule}`), ...others]
}

const agreements = ['equality', 'lookup', 'logs', 'estimate', 'header', 'broadcast']
const faults = [
  'timeout',
  'connection',
  'http',
  'rate-limited',
  'redirect',
  'too-large',
  'malformed',
  'wrong-id',
  'wrong-chain',
  'error',
  'busy',
  'cancelled',
  'cannot',
]

function met(): readonly string[] {
  const pairs = agreements.flatMap((agreement) => faults.map((fault) => `${agreement} ${fault}`))
  return [
    ...pairs.filter((pair) => !impossible.has(pair)),
    'equality answer',
    'equality behind',
    'equality revert',
    'equality refusal',
    'logs behind',
    'estimate behind',
    'estimate revert',
    'estimate refusal',
    'broadcast known',
    'broadcast refusal',
    'broadcast wrong-hash',
  ].map((pair) => `met: ${pair}`)
}

const impossible = new Set([
  // What a caller has chosen is too much for a node, or goes wrong in an odd way: no fault of the node's.
  'logs too-large',
  'estimate too-large',
  'broadcast too-large',
  'logs error',
  'estimate error',
  'broadcast error',
  // A broadcast cancels nothing and is not one node's to be late for.
  'broadcast cancelled',
  'broadcast timeout',
  // Looks at heads that are given up are silence or nothing.
  'header cancelled',
])

/** The names that the judges give to their rules, so that a new rule is wanted as soon as it is written. */
function rulesOf(): readonly string[] {
  const sources = ['verdict', 'lookup', 'numbers'].map((name) =>
    readFileSync(new URL(`../../rpc-proxy/quorum/${name}.ts`, import.meta.url), 'utf8'),
  )
  const names = sources.flatMap((source) => [...source.matchAll(/name: '([^']+)'/g)].map(([, name]) => name))
  return [...new Set(names as string[])]
}

const others = [
  'cache: hit',
  'cache: hit of a minority',
  'cache: miss',
  'cache: shared',
  'caller: left',
  'configuration: reloaded',
  'end: close',
  'end: drain',
  'event: dissent',
  'event: equivocation',
  'event: head',
  'event: reorg',
  'event: shed',
  'event: stall',
  'failed: disagree',
  'failed: heads',
  'failed: silent',
  'node: benched',
  'node: cordoned',
  'node: open',
  'node: resting',
  'node: usable',
  ...['3', '-32000', '-32001', '-32003', '-32005', '-32010', '-32600', '-32601', '-32602', '-32700'].map(
    (code) => `error: ${code}`,
  ),
]
