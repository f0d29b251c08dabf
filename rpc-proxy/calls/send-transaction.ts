import { UpstreamRequest } from '../chain/upstream-request.ts'
import { traceparentFor } from '../events/trace-context.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import { methodSpec } from '../methods/table.ts'
import { operatorOfNode, operatorsOfNodes } from '../quorum/electorate.ts'
import { CallError } from '../runtime/errors.ts'
import { type Callers, RoundCallers } from '../runtime/fair-slots.ts'
import { indexesOf, type MemberIndex, type NodeIndex } from '../runtime/indexes.ts'
import { internalCall } from '../upstreams/errors/error-pattern.ts'
import type { Node } from '../upstreams/node.ts'
import { readByQuorum, rejectionText } from './read.ts'
import type { Scope } from './scope.ts'
import type { CallResult, Services } from './services.ts'

/** Sends a raw transaction to every node that takes them; the hash is ours, the acceptance a node's, a refusal a quorum's. */
export async function sendTransaction(
  services: Services,
  { chain, caller, trace, endMs }: Scope,
  raw: string,
): Promise<CallResult> {
  const { electorate, nodes, feedback } = chain
  const { clock } = services
  const configuredWriters = indexesOf<NodeIndex>(nodes).filter((index) => isWriter(nodes[index] as Node))
  const writers = configuredWriters.filter((index) => nodes[index]?.health.status().state !== 'cordoned')
  const method = 'eth_sendRawTransaction'
  const context = { ...internalCall, sends: true, callerControlled: true }
  const chainId = chain.config.id
  const callers = new RoundCallers(caller)
  const call = { method, params: JSON.stringify([raw]), context, callers }
  const { outcome, evidence, isShared } = await services.writes.send(raw, {
    chainId,
    electorate,
    deadlineMs: endMs - services.clock.now(),
    spareMs: chain.stallMs,
    epoch: chain.trust.epoch(),
    writers: writers.map((index) => {
      const { state } = (nodes[index] as Node).health.status()
      const isOpen = state === 'open' || state === 'half-open'
      return { operator: operatorOfNode(electorate, index), open: isOpen }
    }),
    writerOperators: operatorsOfNodes(electorate, configuredWriters),
    request(writer, id) {
      const node = nodeAt(writer)
      const { options } = node
      const isTraced = options.trace && trace !== null
      const traced = isTraced ? { ...call, traceparent: traceparentFor(trace, id, options.name) } : call
      return new UpstreamRequest(writer, node, { call: traced, purpose: 'transaction', feedback, clock })
    },
    known: (hash) => isKnown(hash, { chain, callers, endMs }, services),
  })
  const cache = isShared ? 'shared' : null
  switch (outcome.kind) {
    case 'accepted':
      return { outcome: { raw: `"${outcome.hash}"` }, evidence, block: null, cache }
    case 'refused':
      return {
        outcome: { error: new CallError('not-sent', { message: rejectionText(outcome.class) }).error },
        evidence,
        block: null,
        cache,
      }
    case 'failed':
      throw new QuorumError(evidence)
  }

  function nodeAt(writer: MemberIndex): Node {
    return nodes[writers[writer] as NodeIndex] as Node
  }
}

/** Witnesses only check what voters say: nothing is sent through them. */
function isWriter({ options }: Node): boolean {
  return options.writes && options.role === 'voter'
}

/** Whether a quorum finds the transaction, mined or waiting. */
async function isKnown(
  hash: string,
  { chain, callers, endMs }: Pick<Scope, 'chain' | 'endMs'> & { readonly callers: Callers },
  services: Services,
): Promise<boolean> {
  const pinned = { params: [hash], block: null, at: null }
  const { result } = await readByQuorum(
    chain,
    {
      spec: methodSpec('eth_getTransactionByHash'),
      pinned,
      policy: 'everyday',
      endMs,
      signal: null,
      callers,
      trace: null,
    },
    services,
  )
  return 'raw' in result && result.raw !== 'null'
}
