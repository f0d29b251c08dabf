import { traced, UpstreamRequest } from '../chain/upstream-request.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import { methodSpec } from '../methods/table.ts'
import { operatorOfNode, operatorsOfNodes } from '../quorum/electorate.ts'
import { CallError } from '../runtime/errors.ts'
import { RoundCallers } from '../runtime/fair-slots.ts'
import { indexesOf, type NodeIndex } from '../runtime/indexes.ts'
import { internalCall } from '../upstreams/errors/error-pattern.ts'
import type { Node } from '../upstreams/node.ts'
import { rejectionText } from '../wire/rejections.ts'
import { readByQuorum } from './read.ts'
import type { Scope } from './scope.ts'
import type { CallResult, WriteServices } from './services.ts'

/** Sends a raw transaction to every node that takes them; the hash is ours, the acceptance a node's, a refusal a quorum's. */
export async function sendTransaction(
  services: WriteServices,
  { chain, caller, trace, endMs }: Scope,
  raw: string,
): Promise<CallResult> {
  const { electorate, nodes } = chain
  const { clock, emit } = services
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
      const node = nodes[writers[writer] as NodeIndex] as Node
      const own = traced(call, node, { trace, id })
      return new UpstreamRequest(writer, node, { chainId, call: own, purpose: 'transaction', clock, emit })
    },
    known: (hash) => isKnown(hash, { chain, callers, endMs }, services),
  })
  if (outcome.kind === 'failed') throw new QuorumError(evidence)
  return {
    outcome:
      outcome.kind === 'accepted'
        ? { raw: `"${outcome.hash}"` }
        : { error: new CallError('not-sent', { message: rejectionText(outcome.class) }).error },
    evidence,
    block: null,
    cache: isShared ? 'shared' : null,
  }
}

/** Witnesses only check what voters say: nothing is sent through them. */
function isWriter({ options }: Node): boolean {
  return options.writes && options.role === 'voter'
}

/** Whether a quorum finds the transaction, mined or waiting. */
async function isKnown(
  hash: string,
  { chain, callers, endMs }: Pick<Scope, 'chain' | 'endMs'> & { readonly callers: RoundCallers },
  services: WriteServices,
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
