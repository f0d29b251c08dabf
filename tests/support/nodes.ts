import { afterEach } from 'vitest'
import { type Nodes, type NodesOptions, startNodes } from './demo-nodes.ts'

/** Starts nodes for one test and stops them at its end, in any state. */
export function nodesForOneTest(): (options: NodesOptions) => Promise<Nodes> {
  const running: Nodes[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((nodes) => nodes.stop()))
  })
  return async (options) => {
    const nodes = await startNodes(options)
    running.push(nodes)
    return nodes
  }
}
