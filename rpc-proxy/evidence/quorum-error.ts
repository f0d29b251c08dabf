import type { Evidence } from '../events/evidence-types.ts'
import type { Incapacity } from '../quorum/incapacity.ts'
import { CallError } from '../runtime/errors.ts'

/** Of fewer than we take; without a number, since nodes take different ones. */
const tooManyForNodes = 'exceed max addresses or topics per search position'

/** A quorum that was not met, with its evidence. */
export class QuorumError extends CallError {
  readonly evidence: Evidence

  /** `incapacity`: what a quorum is unable to do alike, which the caller reads in a node's words. */
  constructor(evidence: Evidence, incapacity: Incapacity | null = null) {
    const { kind, ...options } = errorFor(evidence, incapacity)
    super(kind, { ...options, detail: `${evidence.method}: ${evidence.rule}` })
    this.evidence = evidence
  }
}

function errorFor({ method, reason, id }: Evidence, incapacity: Incapacity | null) {
  if (reason === 'unproven') return { kind: 'unproven', data: { reason, answer: id } } as const
  if (incapacity?.why === 'method')
    return { kind: 'no-method', message: `the method ${method} does not exist / is not available` } as const
  if (incapacity?.why === 'pruned') return { kind: 'pruned', data: { reason, answer: id } } as const
  if (incapacity?.why === 'filter') return { kind: 'bad-params', message: tooManyForNodes } as const
  if (incapacity?.why === 'unknown') {
    const { code, message } = incapacity.error
    return { kind: 'refused', code, message: printable(message) } as const
  }
  if (incapacity?.why === 'range')
    return { kind: 'bad-params', message: `exceed maximum block range: ${incapacity.blocks}` } as const
  return { kind: 'no-quorum', data: { reason, answer: id } } as const
}

/** As the quorum wrote it, but for what moves a cursor or hides. */
const printable = (message: string): string => message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
