import type { Mutant } from '../mutant.ts'

export const queues: readonly Mutant[] = [
  {
    name: 'keeps looks at heads waiting behind calls',
    file: 'upstreams/node.ts',
    find: "const lane = call.lane === 'look' ? 'look' : 'call'",
    replace: "const lane = call.method === '' ? 'look' : 'call'",
    by: 'scenarios/nodes.test.ts',
  },
  {
    name: 'sends a lone call as an array',
    file: 'upstreams/exchange.ts',
    find: 'only !== undefined && calls.length === 1',
    replace: 'only !== undefined && calls.length === 0',
    by: 'rpc-proxy/upstreams/exchange.test.ts',
  },
  {
    name: 'puts what a caller makes large into a batch with others',
    file: 'upstreams/exchange.ts',
    find: "lane !== 'batch' || context.chosen || context.sends",
    replace: "lane !== 'batch' || context.sends",
    by: 'rpc-proxy/upstreams/exchange.test.ts',
  },
  {
    name: 'fails all calls of a batch because of one',
    file: 'upstreams/exchange.ts',
    find: 'isRefused || mayBeNeighbours(reply, responses === null)',
    replace: 'isRefused && mayBeNeighbours(reply, responses === null)',
    by: 'rpc-proxy/upstreams/exchange.test.ts',
  },
  {
    name: 'sends a batch again, call by call, to a node that limits us',
    file: 'upstreams/exchange.ts',
    find: 'isWhole ? ofAll.has(reply.fault)',
    replace: 'isWhole ? true',
    by: 'rpc-proxy/upstreams/exchange.test.ts',
  },
  {
    name: 'queues calls at one node while another has fewer waiting',
    file: 'upstreams/order.ts',
    find: 'a.backlog - b.backlog ||',
    replace: '',
    by: 'rpc-proxy/upstreams/order.test.ts',
  },
  {
    name: 'counts the wait in our own queue as a stall',
    file: 'quorum/ask.ts',
    find: "if (state === 'awaited' || state === 'queued') awaited |= bit",
    replace: "if (state === 'awaited') awaited |= bit\n      else if (state === 'queued') stalledOnes |= bit",
    by: 'scenarios/saturation.test.ts',
  },
  {
    name: 'asks full nodes for the sake of calls that wait',
    file: 'quorum/ask.ts',
    find: '(isNeeded || voter.hasPlace()),',
    replace: '(isNeeded || !voter.hasPlace() || voter.hasPlace()),',
    by: 'scenarios/saturation.test.ts',
  },
  {
    name: 'waits for ever at a full node',
    file: 'quorum/ask.ts',
    find: "states[voter] = 'held'\n        hold(voter)",
    replace: "states[voter] = 'held'",
    by: 'scenarios/saturation.test.ts',
  },
]
