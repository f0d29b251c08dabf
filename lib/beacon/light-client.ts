import { equalBytes } from '@noble/curves/utils.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { BlockId } from '#rpc-proxy'
import type { BeaconHeader, Bootstrap, FinalityUpdate, LightHeader, Update } from './light-client-types.ts'
import { beaconHeaderRoot, committeeRoot, executionHeaderRoot, type Root, rootOfBranch } from './ssz.ts'
import { type Committee, electra, hasEnoughSigners, isSignedBy, readCommittee } from './sync-committee.ts'

/** Where a light client of Ethereum is (consensus-specs, electra/light-client/sync-protocol.md). */
export interface LightClient {
  /** Of the committee: 27 hours each. */
  readonly period: number
  readonly committee: Committee
  /** The one after it, once it is known. */
  readonly next: Committee | null
  readonly finalized: Finalized
}

/** A block that the sync committee has signed as final. */
export interface Finalized {
  readonly slot: number
  readonly block: BlockId
  /** Of the beacon block. */
  readonly root: string
}

/** Why something that a beacon API sent is not believed, for people. */
export class LightClientError extends Error {
  override readonly name = 'LightClientError'
}

function refuse(why: string): never {
  throw new LightClientError(why)
}

const slotsPerEpoch = 32
const slotsPerPeriod = 256 * slotsPerEpoch

export const periodOf = (slot: number): number => Math.floor(slot / slotsPerPeriod)

/** Where each part stands in what its branch leads to, since Electra: indexes among the nodes of that depth. */
const executionIndex = 9
const finalizedIndex = 41
const currentCommitteeIndex = 22
const nextCommitteeIndex = 23

/** Begins at a trusted block, by its root. */
export function begin(bootstrap: Bootstrap, checkpoint: string): LightClient {
  const { header, current_sync_committee: committee, current_sync_committee_branch: branch } = bootstrap
  const { beacon } = header
  if (rootTextOf(beacon) !== checkpoint) refuse('it is not about the checkpoint')
  assertHeader(header)
  const root = committeeRoot(committee)
  assertBranch(root, branch, currentCommitteeIndex, beacon.state_root)
  return {
    period: periodOf(beacon.slot),
    committee: readCommittee(committee, root),
    next: null,
    finalized: finalizedIn(header),
  }
}

/** Goes on to what an update has, where that is newer. Throws LightClientError. */
export function follow(client: LightClient, update: FinalityUpdate, nowSlot: number): LightClient {
  verify(client, update, nowSlot)
  return movedBy(client, update)
}

/** The same, and learns the committee of the next period. */
export function followWithCommittee(client: LightClient, update: Update, nowSlot: number): LightClient {
  const { next_sync_committee: sent, next_sync_committee_branch: branch, attested_header } = update
  const { slot, state_root } = attested_header.beacon
  verify(client, update, nowSlot)
  const root = committeeRoot(sent)
  assertBranch(root, branch, nextCommitteeIndex, state_root)
  const moved = movedBy(client, update)
  return moved.next === null && periodOf(slot) === moved.period
    ? { ...moved, next: readCommittee(sent, root) }
    : moved
}

function movedBy(client: LightClient, { finalized_header }: FinalityUpdate): LightClient {
  const finalized = finalizedIn(finalized_header)
  if (finalized.slot <= client.finalized.slot) return client
  const { period, next } = client
  return periodOf(finalized.slot) > period && next !== null
    ? { period: period + 1, committee: next, next: null, finalized }
    : { ...client, finalized }
}

/** The block that a verified update says is final. */
export const finalizedIn = ({ beacon, execution }: LightHeader): Finalized => ({
  slot: beacon.slot,
  block: { number: Number(execution.block_number), hash: `0x${bytesToHex(execution.block_hash)}` },
  root: rootTextOf(beacon),
})

const rootTextOf = (header: BeaconHeader) => `0x${bytesToHex(beaconHeaderRoot(header))}`

function verify(client: LightClient, update: FinalityUpdate, nowSlot: number): void {
  const { attested_header: attested, finalized_header: finalized, signature_slot: signedSlot } = update
  if (!hasEnoughSigners(update.sync_aggregate)) refuse('fewer than two thirds of the committee have signed')
  if (!(signedSlot > attested.beacon.slot && attested.beacon.slot >= finalized.beacon.slot))
    refuse('its slots are not in order')
  if (signedSlot > nowSlot) refuse('it is signed in the future')
  for (const header of [attested, finalized]) assertHeader(header)
  const { state_root } = attested.beacon
  assertBranch(beaconHeaderRoot(finalized.beacon), update.finality_branch, finalizedIndex, state_root)
  const committee = committeeAt(client, periodOf(signedSlot))
  const signedEpoch = Math.floor((signedSlot - 1) / slotsPerEpoch)
  if (!isSignedBy(committee, attested.beacon, update.sync_aggregate, signedEpoch))
    refuse('its signature does not hold')
}

function committeeAt({ period, committee, next }: LightClient, wanted: number): Committee {
  if (wanted === period) return committee
  return wanted === period + 1 && next !== null ? next : refuse('its committee is not known')
}

function assertHeader({ beacon, execution, execution_branch: branch }: LightHeader): void {
  if (beacon.slot < electra.epoch * slotsPerEpoch) refuse('it is older than Electra')
  assertBranch(executionHeaderRoot(execution), branch, executionIndex, beacon.body_root)
}

function assertBranch(leaf: Root, branch: readonly Root[], index: number, root: Root): void {
  if (!equalBytes(rootOfBranch(leaf, branch, index), root)) refuse('a branch does not lead to its root')
}
