import { site } from '#site'
import { demoAccount, demoMnemonic } from './accounts.ts'
import { demoToken } from './history.ts'
import { demoNames } from './name-registry.ts'
import type { FaultProfile } from './nodes/fault-profile.ts'
import type { Scripted } from './nodes/node.ts'
import type { Stage } from './stage.ts'

/** The addresses of everything that runs, and first steps. */
export function banner(stage: Stage, { appUrl, host }: { appUrl: string; host: string }): string {
  const first = stage.scenes[0]
  const liar = first?.nodes.find((node) => node.faultProfile().kind === 'lying')
  const address = demoAccount(0).address
  const order = JSON.stringify({
    chain: first?.chain.id,
    node: first?.nodes[0]?.name,
    faultProfile: 'hanging',
  })
  return `
${site.name} is up: ${appUrl}  (${host})

  ${appUrl}/          the app, with a demo wallet to connect
  ${appUrl}/status    every node: heads, latency, dissent

${chainTable(stage)}

Ask the quorum, then ${liar === undefined ? 'one node' : 'the liar'} alone:

  ${curl(`${appUrl}/api/rpc/${first?.chain.id}`, balanceOf(address), '-i ')}
  ${curl((liar ?? first?.nodes[0])?.url ?? '', balanceOf(address))}

Give a node a fault while it runs ("honest" takes it back):

  ${curl(stage.controlUrl, order)}

Accounts: ten on each chain, 10,000 coins and ${demoToken.each / 10n ** BigInt(demoToken.decimals)} ${demoToken.symbol} each (token ${first?.chain.token}), from
  ${demoMnemonic}
  0 ${address}
  1 ${demoAccount(1).address}

Names: ${Object.values(demoNames).join(', ')}
${contractLines(stage)}
Ctrl-C stops all of it.
`
}

/** What `contracts/setup.ts` has deployed. */
function contractLines({ scenes }: Stage): string {
  const lines = scenes.flatMap(({ chain }) =>
    chain.contracts.map(({ name, address }) => `  ${name} ${address} on chain ${chain.id}\n`),
  )
  return lines.length === 0 ? '' : `\nContracts:\n\n${lines.join('')}`
}

function chainTable({ scenes }: Stage): string {
  const rows = scenes.flatMap(({ chain, label, nodes }) => [
    [`${chain.id} ${label}`, `a block every ${chain.blockTimeS} s`, chain.url],
    ...nodes.map((node) => [`  ${node.name}`, words(node.faultProfile()), node.url]),
  ])
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows
    .map((row) => `  ${row[0]?.padEnd(width(0))}   ${row[1]?.padEnd(width(1))}   ${row[2]}`)
    .join('\n')
}

function words(faultProfile: FaultProfile | Scripted): string {
  if (faultProfile.kind === 'lagging') return `${faultProfile.blocks} blocks behind`
  if (faultProfile.kind === 'real') return `as ${faultProfile.name}`
  if (faultProfile.kind === 'lying') return 'lies about values'
  return faultProfile.kind
}

function balanceOf(address: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] })
}

function curl(url: string, body: string, flags = ''): string {
  return `curl -s ${flags}${url} -H 'content-type: application/json' -d '${body}'`
}
