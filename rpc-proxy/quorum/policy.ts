import type { Policy } from '../events/evidence-types.ts'

/** All that the next step under a policy depends on: of a read, a head poll, a proof, or of the nodes as they are now. */
export interface PolicySituation {
  /** There are witnesses, or nodes that must vote. */
  readonly mayTighten: boolean
  /** A voter is missing, or nodes do not agree. */
  readonly isDoubtful: boolean
  /** The operators that agree are a quorum of this policy. */
  readonly isAgreed: boolean
  /** The operators that have not replied could still decide it. */
  readonly isOpen: boolean
  /** No usable node can reply before its stall any more. */
  readonly isExhausted: boolean
  /** A usable node may reply before its stall, and contradict what others agree on. */
  readonly isAwaited: boolean
  /** With the operators that have not replied, a quorum may refuse in words that nothing explains. */
  readonly mayRefuse: boolean
}

export const undecided: PolicySituation = {
  mayTighten: false,
  isDoubtful: false,
  isAgreed: false,
  isOpen: true,
  isExhausted: false,
  isAwaited: false,
  mayRefuse: false,
}

/** `degrade`: it is decided by the everyday quorum, and marked as thin; where that is contradicted, or none, it fails. */
export type PolicyStep = 'tighten' | 'accept' | 'wait' | 'degrade' | 'fail'

interface PolicyRule {
  readonly policies: readonly Policy[]
  readonly when: (situation: PolicySituation) => boolean
  readonly step: PolicyStep
}

const any: readonly Policy[] = ['everyday', 'tightened', 'protected', 'bridge']
const always = () => true

/** The first row that applies decides. */
const rules: readonly PolicyRule[] = [
  { policies: ['everyday'], when: ({ mayTighten, isDoubtful }) => mayTighten && isDoubtful, step: 'tighten' },
  { policies: any, when: ({ isAgreed }) => isAgreed, step: 'accept' },
  // An everyday round has nobody else to ask: it waits for stalled nodes until its deadline.
  { policies: ['everyday'], when: ({ isOpen }) => isOpen, step: 'wait' },
  { policies: any, when: ({ isOpen, isExhausted }) => isOpen && !isExhausted, step: 'wait' },
  {
    policies: ['protected', 'bridge'],
    when: ({ mayRefuse, isExhausted }) => mayRefuse && !isExhausted,
    step: 'wait',
  },
  { policies: ['everyday', 'protected', 'bridge'], when: always, step: 'fail' },
  { policies: ['tightened'], when: ({ isAwaited }) => isAwaited, step: 'wait' },
  { policies: ['tightened'], when: always, step: 'degrade' },
]

export function nextStep(policy: Policy, situation: PolicySituation): PolicyStep {
  for (const rule of rules) if (rule.policies.includes(policy) && rule.when(situation)) return rule.step
  return 'fail'
}

/** The policy of what begins now. */
export function startingPolicy(
  policy: Policy,
  { mayTighten, isDoubtful }: Pick<PolicySituation, 'mayTighten' | 'isDoubtful'>,
): Policy {
  return nextStep(policy, { ...undecided, mayTighten, isDoubtful }) === 'tighten' ? 'tightened' : policy
}

/** What comes of a policy where all who can be reached agree, or do not, and no other replies. */
export function lastStep(policy: Policy, { isAgreed }: Pick<PolicySituation, 'isAgreed'>): PolicyStep {
  return nextStep(policy, { ...undecided, isAgreed, isOpen: !isAgreed, isExhausted: true })
}
