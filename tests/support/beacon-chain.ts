import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { bootstrapReply } from '#lib/beacon/light-client-types.ts'
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

const committees = new Map<number, ReturnType<typeof createCommittee>>()

/** The committee of a period: as in small networks, a validator is many members of it. */
function createCommittee(period: number) {
  const secretOf = (member: number) => BigInt(period) * 1_000_003n + BigInt(member % validators)
  const validatorKeys = Array.from({ length: validators }, (_, member) =>
    G1.Point.BASE.multiply(secretOf(member)),
  )
  const ofAll = <Each>(each: readonly Each[]) =>
    Array<readonly Each[]>(size / validators)
      .fill(each)
      .flat()
  const pubkeys = ofAll(validatorKeys.map((point) => point.toBytes()))
  const aggregate_pubkey = longSignatures.aggregatePublicKeys(ofAll(validatorKeys)).toBytes()
  return {
    sent: { pubkeys: pubkeys.map(hex), aggregate_pubkey: hex(aggregate_pubkey) },
    root: committeeRoot({ pubkeys, aggregate_pubkey }),
    /** The aggregate signature of the first members. */
    sign(message: Uint8Array, signers: number) {
      const members = Array.from({ length: signers }, (_, member) => member)
      const secret = members.reduce((sum, member) => (sum + secretOf(member)) % fields.Fr.ORDER, 0n)
      const point = longSignatures.hash(message, 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_')
      return longSignatures.sign(point, hexToBytes(secret.toString(16).padStart(64, '0'))).toBytes()
    },
  }
}

function committeeOf(period: number) {
  const committee = committees.get(period) ?? createCommittee(period)
  committees.set(period, committee)
  return committee
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

/** The block of the chain in this slot. */
export const blockAt = (slot: number, branch = '') => ({
  number: slot - 4_000_000,
  hash: hex(word(`block ${slot}${branch}`)),
})

const executionAt = (slot: number, branch: string) => ({
  parent_hash: blockAt(slot - 1, branch).hash,
  fee_recipient: `0x${'fe'.repeat(20)}`,
  state_root: hex(word('state')),
  receipts_root: hex(word('receipts')),
  logs_bloom: `0x${'10'.repeat(256)}`,
  prev_randao: hex(word('randao')),
  block_number: String(blockAt(slot).number),
  gas_limit: '36000000',
  gas_used: '12345678',
  timestamp: String(1_606_824_023 + 12 * slot),
  extra_data: '0x626c6f636b',
  base_fee_per_gas: '19477827614',
  block_hash: blockAt(slot, branch).hash,
  transactions_root: hex(word('transactions')),
  withdrawals_root: hex(word('withdrawals')),
  blob_gas_used: '131072',
  excess_blob_gas: '0',
})

/** What the light client reads of a header: ssz.test.ts shows it headers of a real network. */
export const { beacon: beaconHeader, execution: executionHeader } =
  bootstrapReply.shape.data.shape.header.shape

const finalizedLeaf = 20
const currentLeaf = 22
const nextLeaf = 23

function headerAt(slot: number, stateRoot: Uint8Array, branch: string) {
  const execution = executionAt(slot, branch)
  const body = treeOf(4, { 9: executionHeaderRoot(executionHeader.parse(execution)) })
  const beacon = {
    slot: String(slot),
    proposer_index: '7',
    parent_root: hex(word(`parent ${slot}${branch}`)),
    state_root: hex(stateRoot),
    body_root: hex(body[1] as Uint8Array),
  }
  const root = beaconHeaderRoot(beaconHeader.parse(beacon))
  return { root, sent: { beacon, execution, execution_branch: branchOf(body, 16 + 9) } }
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
  const { root, sent } = headerAt(slot, state[1] as Uint8Array, '')
  return {
    root: hex(root),
    reply: {
      version: 'fulu',
      data: {
        header: sent,
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
  const final = headerAt(finalized, stateAt(finalized)[1] as Uint8Array, branch)
  const epoch = word('epoch')
  const checkpoint = sha256(concatBytes(epoch, final.root))
  const state = stateAt(attested, { [finalizedLeaf]: checkpoint })
  const seen = headerAt(attested, state[1] as Uint8Array, branch)
  const forkData = sha256(concatBytes(hexToBytes(forkVersion.padEnd(64, '0')), genesisValidatorsRoot))
  const domain = concatBytes(hexToBytes('07000000'), forkData.subarray(0, 28))
  const message = sha256(concatBytes(seen.root, domain))
  const bits = new Uint8Array(size / 8)
  for (let member = 0; member < signers; member++)
    bits[member >> 3] = (bits[member >> 3] ?? 0) | (1 << (member % 8))
  return {
    version: 'fulu',
    data: {
      attested_header: seen.sent,
      next_sync_committee: committeeOf(period + 1).sent,
      next_sync_committee_branch: branchOf(state, 64 + nextLeaf),
      finalized_header: final.sent,
      finality_branch: [hex(epoch), ...branchOf(state, 64 + finalizedLeaf)],
      sync_aggregate: {
        sync_committee_bits: hex(bits),
        sync_committee_signature: hex(committeeOf(signedBy).sign(message, signers)),
      },
      signature_slot: String(signed),
    },
  }
}
