import { startControl } from './control.ts'
import { type DemoNodeOptions, type FaultyNode, startNode } from './node.ts'
import { packings } from './packing.ts'
import { connectUpstream, type Upstream } from './upstream.ts'

export type NodesOptions = {
  /** The anvil behind the nodes. Scripted nodes need none. */
  readonly chainUrl?: string
  readonly nodes: readonly DemoNodeOptions[]
}

/** Running nodes in front of one chain. */
export type Row = {
  readonly nodes: readonly FaultyNode[]
  /** The node with this name. Throws if there is none. */
  node(name: string): FaultyNode
  /** Closes every port and connection; safe to call twice. */
  stop(): Promise<void>
}

export type Nodes = Row & { readonly controlUrl: string }

/** Starts nodes in front of one chain, each on its own port, and a control port to switch their fault profiles. */
export async function startNodes(options: NodesOptions): Promise<Nodes> {
  const row = await startRow(options)
  const control = await startControl([row])
  return {
    ...row,
    controlUrl: control.url,
    async stop() {
      await Promise.all([control.stop(), row.stop()])
    },
  }
}

/**
 * Like `startNodes`, for callers that open one control port for several chains. By default the first node compresses with
 * gzip, the second with brotli, the third not at all, and so on.
 */
export async function startRow({ chainUrl, nodes: wanted }: NodesOptions): Promise<Row> {
  const upstream = chainUrl === undefined ? noChain : connectUpstream(chainUrl)
  const world = { upstream }
  const started = await Promise.allSettled(
    wanted.map((options, index) =>
      startNode({ packing: packings[index % packings.length] ?? 'gzip', ...options }, world),
    ),
  )
  const nodes = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await upstream.close()
  }
  const failed = started.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  return {
    nodes,
    node(name) {
      const found = nodes.find((node) => node.name === name)
      if (found === undefined) throw new Error(`no node ${name} was started`)
      return found
    },
    stop,
  }
}

const absent = () => Promise.reject(new Error('these nodes were started without a chainUrl'))
const noChain: Upstream = { forward: absent, callNode: absent, head: absent, close: async () => {} }
