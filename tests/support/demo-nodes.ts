import type { IncomingHttpHeaders } from 'node:http'
import { startControl } from '../../demo/nodes/control.ts'
import { callsIn, type DemoCall } from '../../demo/nodes/demo-call.ts'
import type { DemoNodeOptions, FaultyNode } from '../../demo/nodes/node.ts'
import { type Row, startRow } from '../../demo/nodes/start.ts'

/** One HTTP request that a node received. */
interface Recorded {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly calls: readonly DemoCall[]
  /** `waiting` while unanswered; `aborted` when either side closed the connection before the answer was sent. */
  end: 'waiting' | 'answered' | 'aborted'
}

export interface RecordedNode extends FaultyNode {
  /** The last requests since the start or the last clear, oldest first. */
  requests(): readonly Recorded[]
  /** Their calls, of one method or of all. Each call of a batch counts. */
  callCount(method?: string): number
  clearRequests(): void
}

export interface Nodes extends Row<RecordedNode> {
  readonly controlUrl: string
}

export interface NodesOptions {
  /** The anvil behind the nodes. Scripted nodes need none. */
  readonly chainUrl?: string
  readonly nodes: readonly DemoNodeOptions[]
}

const nobody = 'http://127.0.0.1:9'
const requestsMax = 10_000

/** Starts nodes that record their requests in front of one chain, and a control port to switch their fault profiles. */
export async function startNodes({ chainUrl = nobody, nodes }: NodesOptions): Promise<Nodes> {
  const records = new Map(nodes.map(({ name }): [string, Recorded[]] => [name, []]))
  const row = await startRow({
    chainUrl,
    nodes: nodes.map((options) => ({
      ...options,
      onRequest({ request, response, body }) {
        const { url = '', headers } = request
        const record: Recorded = {
          path: url,
          headers,
          get calls() {
            return callsIn(body)
          },
          end: 'waiting',
        }
        const own = records.get(options.name) ?? []
        own.push(record)
        if (own.length > 2 * requestsMax) own.splice(0, requestsMax)
        response.once('close', () => {
          record.end = response.writableFinished ? 'answered' : 'aborted'
        })
      },
    })),
  })
  const control = await startControl([row])
  const recorded = row.nodes.map((node): RecordedNode => {
    const requests = records.get(node.name) ?? []
    return {
      ...node,
      requests: () => requests,
      callCount(method) {
        const calls = requests.flatMap((request) => request.calls)
        return calls.filter((call) => method === undefined || call.method === method).length
      },
      clearRequests: () => void requests.splice(0),
    }
  })
  return {
    nodes: recorded,
    node: (name) => recorded[row.nodes.indexOf(row.node(name))] as RecordedNode,
    controlUrl: control.url,
    async stop() {
      await Promise.all([control.stop(), row.stop()])
    },
  }
}
