import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { beaconHeaderRoot, committeeRoot, executionHeaderRoot } from '#lib/beacon/ssz.ts'

/** A beacon chain with committees of 512 keys, real signatures and real branches; only what a light client reads of it is there. */

const { longSignatures, G1, fields } = bls12_381
const size = 512
const validators = 16
const slotsPerPeriod = 8192
/** Under Fulu. */
const firstPeriod = 1700
export const firstSlot = firstPeriod * slotsPerPeriod

const hex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`
const word = (text: string) => sha256(new TextEncoder().encode(text))

interface TestCommittee {
  readonly sent: { readonly pubkeys: readonly string[]; readonly aggregate_pubkey: string }
  readonly root: Uint8Array
  /** The aggregate signature of the members that are set. */
  readonly sign: (message: Uint8Array, isSet: (member: number) => boolean) => Uint8Array
}

const committees = new Map<number, TestCommittee>()

/** The committee of a period: as in small networks, a validator is many members of it. */
function committeeOf(period: number): TestCommittee {
  const known = committees.get(period)
  if (known !== undefined) return known
  const secretOf = (member: number) => BigInt(period) * 1_000_003n + BigInt(member % validators)
  const validatorKeys = Array.from({ length: validators }, (_, member) =>
    G1.Point.BASE.multiply(secretOf(member)),
  )
  const points = Array.from(
    { length: size },
    (_, member) => validatorKeys[member % validators] as typeof G1.Point.BASE,
  )
  const written = validatorKeys.map((point) => point.toBytes())
  const pubkeys = points.map((_, member) => written[member % validators] as Uint8Array)
  const aggregate = longSignatures.aggregatePublicKeys(points).toBytes()
  const made: TestCommittee = {
    sent: { pubkeys: pubkeys.map(hex), aggregate_pubkey: hex(aggregate) },
    root: committeeRoot({ pubkeys, aggregate_pubkey: aggregate }),
    sign(message, isSet) {
      const members = Array.from({ length: size }, (_, member) => member).filter(isSet)
      const secret = members.reduce((sum, member) => (sum + secretOf(member)) % fields.Fr.ORDER, 0n)
      const point = longSignatures.hash(message, 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_')
      return longSignatures.sign(point, hexToBytes(secret.toString(16).padStart(64, '0'))).toBytes()
    },
  }
  committees.set(period, made)
  return made
}

/** All nodes of a tree with these leaves set, the rest zero; the root is node 1. */
function treeOf(depth: number, leaves: Readonly<Record<number, Uint8Array>>): readonly Uint8Array[] {
  const count = 2 ** depth
  const nodes = Array.from({ length: 2 * count }, (_, node) => leaves[node - count] ?? new Uint8Array(32))
  for (let node = count - 1; node >= 1; node--)
    nodes[node] = sha256(concatBytes(nodes[2 * node] as Uint8Array, nodes[2 * node + 1] as Uint8Array))
  return nodes
}

function branchOf(nodes: readonly Uint8Array[], node: number): readonly string[] {
  const branch: string[] = []
  for (let at = node; at > 1; at >>= 1) branch.push(hex(nodes[at ^ 1] as Uint8Array))
  return branch
}

const blockHashAt = (slot: number, branch = '') => hex(word(`block ${slot}${branch}`))
const blockNumberAt = (slot: number) => slot - 4_000_000

/** The block of the chain in this slot. */
export const blockAt = (slot: number) => ({ number: blockNumberAt(slot), hash: blockHashAt(slot) })

const executionAt = (slot: number, branch: string) => ({
  parent_hash: blockHashAt(slot - 1, branch),
  fee_recipient: `0x${'fe'.repeat(20)}`,
  state_root: hex(word('state')),
  receipts_root: hex(word('receipts')),
  logs_bloom: `0x${'10'.repeat(256)}`,
  prev_randao: hex(word('randao')),
  block_number: String(blockNumberAt(slot)),
  gas_limit: '36000000',
  gas_used: '12345678',
  timestamp: String(1_606_824_023 + 12 * slot),
  extra_data: '0x626c6f636b',
  base_fee_per_gas: '19477827614',
  block_hash: blockHashAt(slot, branch),
  transactions_root: hex(word('transactions')),
  withdrawals_root: hex(word('withdrawals')),
  blob_gas_used: '131072',
  excess_blob_gas: '0',
})

const numbers = new Set(
  'block_number gas_limit gas_used timestamp base_fee_per_gas blob_gas_used excess_blob_gas'.split(' '),
)
function executionRoot(execution: ReturnType<typeof executionAt>): Uint8Array {
  const read = Object.entries(execution).map(([name, value]) => [
    name,
    numbers.has(name) ? BigInt(value) : hexToBytes(value.slice(2)),
  ])
  return executionHeaderRoot(Object.fromEntries(read))
}

interface Beacon {
  readonly slot: string
  readonly proposer_index: string
  readonly parent_root: string
  readonly state_root: string
  readonly body_root: string
}

function rootOf({ slot, proposer_index, ...roots }: Beacon): Uint8Array {
  const [parent_root, state_root, body_root] = [roots.parent_root, roots.state_root, roots.body_root].map(
    (root) => hexToBytes(root.slice(2)),
  ) as [Uint8Array, Uint8Array, Uint8Array]
  const header = {
    slot: Number(slot),
    proposer_index: BigInt(proposer_index),
    parent_root,
    state_root,
    body_root,
  }
  return beaconHeaderRoot(header)
}

const finalizedLeaf = 20
const currentLeaf = 22
const nextLeaf = 23

function headerAt(slot: number, stateRoot: Uint8Array, branch: string) {
  const execution = executionAt(slot, branch)
  const body = treeOf(4, { 9: executionRoot(execution) })
  const beacon: Beacon = {
    slot: String(slot),
    proposer_index: '7',
    parent_root: hex(word(`parent ${slot}${branch}`)),
    state_root: hex(stateRoot),
    body_root: hex(body[1] as Uint8Array),
  }
  return { beacon, execution, execution_branch: branchOf(body, 16 + 9) }
}

const periodOf = (slot: number) => Math.floor(slot / slotsPerPeriod)

/** The state of the block at this slot, as far as light clients look into it. */
const stateAt = (slot: number, leaves: Readonly<Record<number, Uint8Array>> = {}) =>
  treeOf(6, {
    [currentLeaf]: committeeOf(periodOf(slot)).root,
    [nextLeaf]: committeeOf(periodOf(slot) + 1).root,
    ...leaves,
  })

/** What a beacon API says of the block at this slot, for a light client to begin with; and its root. */
export function bootstrapAt(slot: number) {
  const period = periodOf(slot)
  const state = stateAt(slot)
  const header = headerAt(slot, state[1] as Uint8Array, '')
  return {
    root: hex(rootOf(header.beacon)),
    reply: {
      version: 'fulu',
      data: {
        header,
        current_sync_committee: committeeOf(period).sent,
        current_sync_committee_branch: branchOf(state, 64 + currentLeaf),
      },
    },
  }
}

export interface UpdateOptions {
  readonly attested: number
  readonly finalized: number
  readonly signed?: number
  /** How many of the 512 sign. */
  readonly signers?: number
  readonly signedBy?: number
  readonly forkVersion?: string
  /** Names another branch of blocks. */
  readonly branch?: string
}

export const genesisValidatorsRoot = hexToBytes(
  '4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95',
)

/** What a beacon API says of an attested block, in whose state another is final. */
export function updateAt({
  attested,
  finalized,
  signed = attested + 1,
  signers = size,
  signedBy = periodOf(signed),
  forkVersion = '06000000',
  branch = '',
}: UpdateOptions) {
  const period = periodOf(attested)
  const finalizedHeader = headerAt(finalized, stateAt(finalized)[1] as Uint8Array, branch)
  const epoch = word('epoch')
  const checkpoint = sha256(concatBytes(epoch, rootOf(finalizedHeader.beacon)))
  const state = stateAt(attested, { [finalizedLeaf]: checkpoint })
  const attestedHeader = headerAt(attested, state[1] as Uint8Array, branch)
  const forkData = sha256(concatBytes(hexToBytes(forkVersion.padEnd(64, '0')), genesisValidatorsRoot))
  const domain = concatBytes(hexToBytes('07000000'), forkData.subarray(0, 28))
  const message = sha256(concatBytes(rootOf(attestedHeader.beacon), domain))
  const bits = new Uint8Array(size / 8)
  for (let member = 0; member < signers; member++)
    bits[member >> 3] = (bits[member >> 3] ?? 0) | (1 << (member % 8))
  return {
    version: 'fulu',
    data: {
      attested_header: attestedHeader,
      next_sync_committee: committeeOf(period + 1).sent,
      next_sync_committee_branch: branchOf(state, 64 + nextLeaf),
      finalized_header: finalizedHeader,
      finality_branch: [hex(epoch), ...branchOf(state, 64 + finalizedLeaf)],
      sync_aggregate: {
        sync_committee_bits: hex(bits),
        sync_committee_signature: hex(committeeOf(signedBy).sign(message, (member) => member < signers)),
      },
      signature_slot: String(signed),
    },
  }
}
