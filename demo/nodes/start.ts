import { type DemoNodeOptions, type FaultyNode, startNode } from './node.ts'
import { packings } from './packing.ts'
import { connectUpstream } from './upstream.ts'

export type RowOptions = {
  /** The anvil behind the nodes. */
  readonly chainUrl: string
  readonly nodes: readonly DemoNodeOptions[]
}

/** Running nodes in front of one chain. */
export type Row<Node = FaultyNode> = {
  readonly nodes: readonly Node[]
  /** The node with this name. Throws if there is none. */
  node(name: string): Node
  /** Closes every port and connection; safe to call twice. */
  stop(): Promise<void>
}

/**
 * Starts nodes in front of one chain, each on its own port. By default the first one compresses with gzip, the second with brotli, the
 * third not at all, and so on.
 */
export async function startRow({ chainUrl, nodes: wanted }: RowOptions): Promise<Row> {
  const upstream = connectUpstream(chainUrl)
  const started = await Promise.allSettled(
    wanted.map((options, index) =>
      startNode({ packing: packings[index % packings.length] ?? 'gzip', ...options }, upstream),
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
