import { parseArgs } from 'node:util'
import defaults from '#config'
import { readConfigFile } from '#lib/config/config-file.ts'
import { EnvError, env, environment } from '#lib/config/env.ts'
import { loadEnvFiles } from '#lib/config/env-files.ts'
import { parseTokenList } from '#lib/token/token-list.ts'
import { proxiesOf } from '#lib/transport/outbound-proxy.ts'
import { UndiciNetwork } from '#lib/transport/send-undici.ts'
import { type ChainConfig, type Config, ConfigError, chainRisk, parseConfig } from '#rpc-proxy'
import list from '#tokens' with { type: 'json' }
import { judge, type NodeRow } from './nodes/judge.ts'
import { type Findings, headOf, probe, probeCall } from './nodes/probe.ts'
import { compareTokens } from './nodes/tokens.ts'
import { root } from './steps.ts'

/**
 * `npm run nodes`: asks every configured node what it can do, for a first real run and before a release. `--all` asks those
 * that are off, too; `--chain 137` one chain. Compares `tokens.json` with the chains. Nodes are shown by name: URLs hold keys.
 */
const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    chain: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
loadEnvFiles(root, 'production')

const { send, close } = new UndiciNetwork({ proxies: proxiesOf(env()) })
const tokens = parseTokenList(list)
const chains = config().chains.filter(({ id }) => values.chain === undefined || String(id) === values.chain)
if (chains.length === 0) console.error(`chain ${values.chain} is not configured`)
let wrong = chains.length === 0 ? 1 : 0
for (const chain of chains) {
  const findings = await probeChain(chain)
  const rows = findings.map((each) => judge(each, findings, chain))
  wrong += rows.filter(({ verdict }) => verdict !== 'ok').length
  if (values.json) console.log(JSON.stringify({ chainId: chain.id, nodes: rows }))
  else console.log(`\n${chain.name ?? 'chain'} ${chain.id}: ${findings.length} nodes\n${table(rows)}`)
  const calls = chain.nodes.map((node) => probeCall(node, send))
  const others = await compareTokens(
    calls,
    tokens.filter(({ chainId }) => chainId === chain.id),
  )
  wrong += others?.length ?? 0
  for (const other of others ?? ['tokens.json: not compared, too few nodes answer alike']) console.warn(other)
  const risk = chainRisk(chain)
  if (risk !== null) console.warn(risk)
}
await close()
process.exit(wrong === 0 ? 0 : 1)

function config(): Config {
  try {
    const { RPC_CONFIG, RPC_CONFIG_FILE } = env()
    const change = values.all ? allOn : (value: unknown) => value
    if (RPC_CONFIG_FILE !== undefined) return readConfigFile(RPC_CONFIG_FILE, change)
    return parseConfig(change(RPC_CONFIG ?? defaults), environment())
  } catch (cause) {
    if (!(cause instanceof ConfigError || cause instanceof EnvError)) throw cause
    console.error(cause.message)
    process.exit(1)
  }
}

/** The configuration with every node enabled; what is none stays as it is, for the parser to refuse. */
function allOn(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each) => (key === 'enabled' ? true : each))
}

async function probeChain({ nodes }: ChainConfig): Promise<readonly Findings[]> {
  const heads = (await Promise.all(nodes.map((node) => headOf(node, send)))).filter((head) => head !== null)
  // A block that every node should have by now, also one that lags a little.
  const at =
    heads.length === 0 ? null : Math.max(0, (heads.toSorted((a, b) => a - b)[heads.length >> 1] ?? 0) - 8)
  return Promise.all(nodes.map((node) => probe(node, send, at)))
}

function table(rows: readonly NodeRow[]): string {
  const lines = [
    Object.keys(rows[0] ?? {}),
    ...rows.map((row) => Object.values(row).map((cell) => String(cell ?? '-'))),
  ]
  const widths = Object.keys(rows[0] ?? {}).map((_, at) =>
    Math.max(...lines.map((line) => line[at]?.length ?? 0)),
  )
  return lines
    .map((line) => `  ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}
