import shipped from '#config'
import type { FaultProfileInput } from '../../../demo/nodes/fault-profile.ts'
import type { RiskNode, Weighed } from './risk-oracle.ts'

/** A row of the table: who is poisoned, who is silent and how. */
export interface RiskRow extends Weighed {
  readonly title: string
  readonly nodes: readonly PlacedNode[]
}

interface PlacedNode extends RiskNode {
  /** How a silent node is silent. */
  readonly faultProfile?: FaultProfileInput
}

type Made = Pick<PlacedNode, 'conduct' | 'faultProfile'>

const honest: Made = { conduct: 'honest' }
const poisoned: Made = { conduct: 'poisoned' }
const hanging: Made = { conduct: 'silent', faultProfile: 'hanging' }
const refusing: Made = { conduct: 'silent', faultProfile: 'down' }
const limiting: Made = {
  conduct: 'silent',
  faultProfile: { kind: 'rate-limiting', calls: 0, retryAfterS: 60 },
}
const silences = { hangs: hanging, 'refuses the connection': refusing, 'answers 429': limiting }
const allSilent = [hanging, refusing, limiting, hanging]

const voter = (weight: number, made: Made): PlacedNode => ({ weight, isWitness: false, ...made })
const witness = (made: Made, weight = 1): PlacedNode => ({ weight, isWitness: true, ...made })

/** Chain 1 as it is shipped. */
const ethereum = shipped.chains.find(({ id }) => id === 1) as (typeof shipped.chains)[number]
const weightsOf = (isMeant: (node: (typeof ethereum.nodes)[number]) => boolean) =>
  ethereum.nodes
    .filter((node) => !('enabled' in node) && isMeant(node))
    .map(({ weight = 1 }) => weight)
    .toSorted((one, other) => other - one)
const voterWeights = weightsOf((node) => !('role' in node))
const witnessWeights = weightsOf((node) => 'role' in node)

/** The two heaviest voters are poisoned; the others are asked before them, or after them. */
function shippedRow(
  title: string,
  { others, witnesses, asked }: { others: Made; witnesses: readonly Made[]; asked: 'first' | 'last' },
): RiskRow {
  const [heavy, light] = [voterWeights.slice(0, 2), voterWeights.slice(2)]
  const liars = heavy.map((weight) => voter(weight, poisoned))
  const rest = light.map((weight) => voter(weight, others))
  const voters = asked === 'first' ? [...rest, ...liars] : [...liars, ...rest]
  return {
    title: `as shipped, two poisoned, the third ${title}`,
    nodes: [
      ...voters,
      ...witnessWeights.map((weight, index) =>
        witness(witnesses[index % witnesses.length] ?? honest, weight),
      ),
    ],
    operatorsMin: ethereum.operatorsMin,
  }
}

const witnessesOf = {
  'all witnesses honest': [honest],
  'one witness honest and the others silent': [honest, ...allSilent.slice(1)],
  'all witnesses silent': allSilent,
}

const shippedRows = Object.entries(witnessesOf).flatMap(([which, witnesses]) => [
  ...Object.entries(silences).map(([how, others]) =>
    shippedRow(`${how}, ${which}`, { others, witnesses, asked: 'first' }),
  ),
  shippedRow(`outvoted, ${which}`, { others: honest, witnesses, asked: 'first' }),
  shippedRow(`not heard, ${which}`, { others: honest, witnesses, asked: 'last' }),
])

const row = (title: string, nodes: readonly PlacedNode[], operatorsMin = 2): RiskRow => ({
  title,
  nodes,
  operatorsMin,
})
const liars = [voter(2, poisoned), voter(2, poisoned)]

export const rows: readonly RiskRow[] = [
  ...shippedRows,
  row('a heavy voter and two witnesses poisoned, the light voter hangs', [
    voter(1, hanging),
    voter(2, poisoned),
    voter(2, honest),
    ...[poisoned, poisoned, honest, honest].map((made) => witness(made)),
  ]),
  // Two operators are 4 of 7: `npm run nodes` warns.
  ...Object.entries({ ...silences, 'is outvoted': honest }).map(([how, third]) =>
    row(`five (2, 2, 1 and two witnesses), two of weight 2 poisoned, the third ${how}`, [
      voter(1, third),
      ...liars,
      witness(honest),
      witness(honest),
    ]),
  ),
  ...Object.entries({ ...silences, 'is outvoted': honest }).map(([how, third]) =>
    row(`five voters (2, 2, 1, 1, 1), two of weight 2 poisoned, the third ${how}`, [
      voter(1, third),
      voter(1, honest),
      voter(1, honest),
      ...liars,
    ]),
  ),
  row(
    'four equal voters, two dead, one liar',
    [refusing, limiting, poisoned, honest].map((made) => voter(1, made)),
    1,
  ),
  row(
    'four equal voters, two dead, two liars',
    [refusing, limiting, poisoned, poisoned].map((made) => voter(1, made)),
    1,
  ),
  row(
    'four equal, two of them witnesses; a voter and a witness dead, one liar',
    [voter(1, hanging), voter(1, poisoned), witness(refusing), witness(honest)],
    1,
  ),
  row(
    'four equal, two of them witnesses and both dead; a voter hangs and one lies',
    [voter(1, hanging), voter(1, poisoned), witness(refusing), witness(limiting)],
    1,
  ),
]
