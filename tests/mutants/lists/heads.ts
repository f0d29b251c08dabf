import type { Mutant } from '../mutant.ts'

const scenarios = 'scenarios/heads.test.ts'

/** The head, the block that a call is read at, and finality: S9. */
export const heads: readonly Mutant[] = [
  {
    name: 'drops the pin',
    file: 'heads/pin.ts',
    in: 'pin.pinned',
    edit: { kind: 'property', key: 'params', value: 'params' },
    breaks: ['S1'],
    by: 'sim',
    isVisible: true,
  },
  {
    name: 'returns what was read before a reorg',
    file: 'calls/read.ts',
    in: 'retryAt',
    edit: { kind: 'condition', mentions: 'hash', value: 'true' },
    nth: 0,
    breaks: ['S1', 'S9'],
    by: 'scenarios/pinning.test.ts',
  },
  {
    name: 'admits a head that one node shows',
    file: 'heads/head-views.ts',
    in: 'highestGroup',
    edit: { kind: 'condition', mentions: 'isQuorum', value: 'false' },
    breaks: ['head', 'S2', 'S9'],
    by: 'rpc-proxy/heads/views.test.ts',
  },
  {
    name: 'lets an operator stand on two branches',
    file: 'heads/head-views.ts',
    in: 'groupsAt',
    edit: {
      kind: 'call',
      mentions: 'vote',
      value:
        '(group.members.push(node), (group.operators = union(group.operators, setOf(operatorOfNode(electorate, node)))))',
    },
    breaks: ['S2', 'S9'],
    by: scenarios,
  },
  {
    name: 'confirms a head by what silent nodes showed once',
    file: 'heads/head-decision.ts',
    in: 'decideHead.voting',
    edit: { kind: 'property', key: 'hasSpoken', value: '() => true' },
    breaks: ['S9'],
    by: scenarios,
  },
  {
    name: 'lets the head go back',
    file: 'heads/head-decision.ts',
    in: 'decideHead',
    edit: { kind: 'condition', mentions: 'head', value: 'true' },
    nth: 1,
    breaks: ['S9'],
    by: 'sim',
  },
  {
    name: 'needs no majority for finality',
    file: 'chain/head-tracker.ts',
    in: 'pollPorts.majority',
    edit: { kind: 'call', mentions: 'withMajority', value: 'electorate' },
    breaks: ['S2', 'S8'],
    by: 'sim',
  },
  {
    name: 'says that nodes are silent when they show no common block',
    file: 'chain/head-tracker.ts',
    in: 'whyNoHead',
    edit: { kind: 'condition', mentions: 'isQuorum', value: 'false' },
    breaks: ['no-head'],
    by: scenarios,
  },
  {
    name: 'says that nodes show no common block when they are silent',
    file: 'chain/head-tracker.ts',
    in: 'whyNoHead',
    edit: { kind: 'condition', mentions: 'isQuorum', value: 'true' },
    breaks: ['too-few-replies'],
    by: scenarios,
  },
]
