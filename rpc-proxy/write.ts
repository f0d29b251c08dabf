import { AskCallers, type Callers } from './callers.ts'
import { CallError } from './errors.ts'
import { indexesOf, type MemberIndex, type NodeIndex } from './indexes.ts'
import { ruleOf } from './methods/table.ts'
import { operatorOfNode, operatorsOfNodes } from './quorum/electorate.ts'
import { QuorumError } from './quorum/evidence.ts'
import { read } from './read.ts'
import { refusalText } from './refusals.ts'
import type { Answer, Scope, Services } from './services.ts'
import { traceparentFor } from './trace-context.ts'
import { ofOurOwn } from './upstreams/errors/rule.ts'
import type { Node } from './upstreams/node.ts'
import type { Reply } from './wire/types.ts'

/** Sends a raw transaction to every node that takes them; the hash is ours, the acceptance a node's, a refusal a quorum's. */
export async function write(
  services: Services,
  { chain, caller, trace, endMs }: Scope,
  raw: string,
): Promise<Answer> {
  const { electorate, nodes } = chain
  const takers = indexesOf<NodeIndex>(nodes).filter((index) => nodes[index]?.options.writes)
  const writers = takers.filter((index) => nodes[index]?.status().state !== 'cordoned')
  const method = 'eth_sendRawTransaction'
  const context = { ...ofOurOwn, sends: true, chosen: true }
  const chainId = chain.config.id
  const callers = new AskCallers(caller)
  const { outcome, evidence, isShared } = await services.writes.send(raw, {
    chainId,
    electorate,
    deadlineMs: endMs - services.clock.now(),
    spareMs: chain.stallMs,
    writers: writers.map((index) => {
      const node = nodes[index] as Node
      const { name, weight, stallMs } = node.options
      const operator = operatorOfNode(electorate, index)
      return { name, operator, weight, stallMs, open: ['open', 'half-open'].includes(node.status().state) }
    }),
    takers: operatorsOfNodes(electorate, takers),
    sendTo(writer, signal, answer) {
      const node = nodeAt(writer)
      const { options } = node
      const call = { method, params: JSON.stringify([raw]), context, callers }
      const isTold = options.trace && trace !== null
      const told = isTold ? { ...call, traceparent: traceparentFor(trace, answer, options.name) } : call
      return node.ask(told, signal)
    },
    known: (hash) => isKnown(hash, { chain, callers, endMs }, services),
    onStall: (writer) => services.emit({ type: 'stall', chainId, node: nodeAt(writer).options.name }),
    onEnd(writer, reply, durationMs) {
      const node = nodeAt(writer)
      node.record(method, reply, durationMs, 'chosen')
      const fault = reply.kind === 'fault' ? reply.fault : null
      services.emit({
        type: 'ask',
        chainId,
        method,
        node: node.options.name,
        outcome: reply.kind satisfies Reply['kind'],
        fault,
        durationMs,
      })
    },
  })
  const cache = isShared ? 'shared' : null
  switch (outcome.kind) {
    case 'accepted':
      return { outcome: { raw: `"${outcome.hash}"` }, evidence, block: null, cache }
    case 'refused':
      return {
        outcome: { error: new CallError('not-sent', { message: refusalText(outcome.class) }).error },
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

/** Whether a quorum finds the transaction, mined or waiting. */
async function isKnown(
  hash: string,
  { chain, callers, endMs }: Pick<Scope, 'chain' | 'endMs'> & { readonly callers: Callers },
  services: Services,
): Promise<boolean> {
  const pinned = { params: [hash], block: null, at: null }
  const { said } = await read(
    chain,
    {
      rule: ruleOf('eth_getTransactionByHash'),
      pinned,
      electorate: chain.electorate,
      gasGiven: false,
      endMs,
      signal: null,
      callers,
      trace: null,
    },
    services,
  )
  return 'raw' in said && said.raw !== 'null'
}
