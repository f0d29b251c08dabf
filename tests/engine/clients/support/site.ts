import { type Address, defineChain, getAddress } from 'viem'
import { arbitrum } from 'viem/chains'
import { afterAll, beforeAll } from 'vitest'
import { demoAccount } from '../../../../demo/accounts.ts'
import { multicall3Address } from '../../../../demo/history.ts'
import { localChains } from '../../../support/chains.ts'
import { type Nodes, type NodesOptions, startNodes } from '../../../support/demo-nodes.ts'
import type { HostKind } from '../../../support/host.ts'
import { hostsForOneFile, startBoth } from '../../../support/hosts.ts'

/** Not 137, because ethers 6 would ask a gas station on the internet. */
export const chainId = 42161

/** The local chain for viem, with Multicall3 from the first block on. */
export const chain = defineChain({
  ...arbitrum,
  contracts: { multicall3: { address: multicall3Address } },
})

export interface SiteOptions {
  readonly nodes?: NodesOptions['nodes']
  readonly config?: object
  /** The engine or a client library decides, so it is one by default, without Next, which is most of a start. */
  readonly hosts?: readonly HostKind[]
}

/** The first node lies, and one lags two blocks behind. */
const oneLiesOneIsLate: NodesOptions['nodes'] = [
  { name: 'liar', faultProfile: 'lying' },
  { name: 'a' },
  { name: 'late', faultProfile: { kind: 'lagging', blocks: 2 } },
  { name: 'b' },
]

/** One chain, its nodes, and the hosts in front of them, for one test file: started before its first test, stopped after its last. */
export function siteForOneFile(options: SiteOptions = {}) {
  const chains = localChains({ chains: [{ id: chainId }] })
  const start = hostsForOneFile()
  let nodes: Nodes
  let hosts: Awaited<ReturnType<typeof startBoth>>
  beforeAll(async () => {
    nodes = await startNodes({
      chainUrl: chains().chain(chainId).url,
      nodes: options.nodes ?? oneLiesOneIsLate,
    })
    hosts = await startBoth(start, { config: configOf(nodes, options) }, options.hosts ?? ['alone'])
  })
  afterAll(() => nodes.stop())
  return () => {
    const { url: chainUrl, token } = chains().chain(chainId)
    return {
      /** The RPC url of a host. */
      url: (kind: HostKind = 'alone') => `${hosts.get(kind)?.url}/api/rpc/${chainId}`,
      /** The url of the chain itself. */
      chainUrl,
      nodes,
      token,
    }
  }
}

function configOf({ nodes }: Nodes, { config = {} }: SiteOptions) {
  const listed = nodes.map(({ name, url }, place) => ({ name, url, priority: place, stallMs: 300 }))
  return { chains: [{ id: chainId, quorum: 2, nodes: listed }], rate: null, ...config }
}

/** A rich account, but not the richest, whose balance is compared. */
export const accountOf = (index: number): ReturnType<typeof demoAccount> => demoAccount(index + 1)

export function unusedAddress(number: number): Address {
  return getAddress(`0x${number.toString(16).padStart(40, 'c0ffee')}`)
}
