import type { Evidence } from '../events/events.ts'

/** Requests that a proven call did without: a quorum of everyday nodes would have taken more. */
export function savedRequests(
  { electorate: { weights }, needed, operatorsMin }: Evidence,
  requests: number,
): number {
  return Math.max(0, smallestQuorum(weights, { needed, operatorsMin }) - requests)
}

/** Operators of the smallest quorum. */
function smallestQuorum(
  weights: readonly number[],
  { needed, operatorsMin }: Pick<Evidence, 'needed' | 'operatorsMin'>,
): number {
  let weight = 0
  let count = 0
  for (const each of weights.toSorted((one, other) => other - one)) {
    if (weight >= needed && count >= operatorsMin) break
    weight += each
    count += 1
  }
  return count
}
