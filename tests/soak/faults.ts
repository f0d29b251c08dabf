import type { FaultProfileInput } from '../../demo/nodes/fault-profile.ts'
import type { Nodes } from '../../demo/nodes/start.ts'
import { honest, lying } from './truth.ts'

const bytes = 12_000_000

/** Faults in sequence, each on two of six nodes: never a quorum, and always on other nodes. */
const faultProfiles: readonly (FaultProfileInput | typeof lying)[] = [
  'hanging',
  lying,
  'down',
  { kind: 'slow', delayMs: 1200, jitterMs: 400 },
  { kind: 'resetting', at: 'body' },
  { kind: 'erring', status: 503, message: 'unavailable' },
  { kind: 'rate-limiting', calls: 5, windowMs: 1000, retryAfterS: 1 },
  { kind: 'garbage', form: 'html' },
  { kind: 'garbage', form: 'wrong-id' },
  { kind: 'garbage', form: 'invalid-utf8' },
  { kind: 'garbage', form: 'short-batch' },
  { kind: 'garbage', form: 'bomb', bytes },
  { kind: 'flapping', upMs: 700, downMs: 700 },
  { kind: 'trickling', bytes: 4, everyMs: 50 },
  { kind: 'wrong-chain', chainId: 5 },
  { kind: 'garbage', form: 'redirect' },
]

/** Injects the next fault into the next two nodes, and heals the previous ones. Returns the fault. */
export async function rotate(nodes: Nodes, turn: number): Promise<string> {
  const all = nodes.nodes
  const faultProfile = faultProfiles[turn % faultProfiles.length] ?? 'hanging'
  const faulty = [turn, turn + 1].map((place) => all[place % all.length]?.name)
  for (const node of all) await node.setFaultProfile(faulty.includes(node.name) ? faultProfile : honest)
  if (typeof faultProfile === 'string') return faultProfile
  return 'form' in faultProfile ? `${faultProfile.kind}: ${faultProfile.form}` : faultProfile.kind
}

export async function heal(nodes: Nodes): Promise<void> {
  for (const node of nodes.nodes) await node.setFaultProfile(honest)
}
