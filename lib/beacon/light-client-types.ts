import { hexToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'

/** Members of a sync committee. */
export const committeeSize = 512

const bytesBetween = (min: number, max: number) =>
  z
    .string()
    .regex(new RegExp(`^0x(?:[0-9a-fA-F]{2}){${min},${max}}$`))
    .transform((hex): Uint8Array => hexToBytes(hex.slice(2)))
const bytes = (length: number) => bytesBetween(length, length)
const number = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`))
    .transform(BigInt)
const root = bytes(32)
const branch = (length: number) => z.array(root).length(length)
/** Slots, in which numbers are exact. */
const slot = number(15).transform(Number)

const beaconHeader = z.object({
  slot,
  proposer_index: number(20),
  parent_root: root,
  state_root: root,
  body_root: root,
})

const executionHeader = z.object({
  parent_hash: root,
  fee_recipient: bytes(20),
  state_root: root,
  receipts_root: root,
  logs_bloom: bytes(256),
  prev_randao: root,
  block_number: number(15),
  gas_limit: number(20),
  gas_used: number(20),
  timestamp: number(20),
  extra_data: bytesBetween(0, 32),
  base_fee_per_gas: number(78),
  block_hash: root,
  transactions_root: root,
  withdrawals_root: root,
  blob_gas_used: number(20),
  excess_blob_gas: number(20),
})

const lightHeader = z.object({
  beacon: beaconHeader,
  execution: executionHeader,
  execution_branch: branch(4),
})

const syncCommittee = z.object({
  pubkeys: z.array(bytes(48)).length(committeeSize),
  aggregate_pubkey: bytes(48),
})

const finalityUpdate = z.object({
  attested_header: lightHeader,
  finalized_header: lightHeader,
  finality_branch: branch(7),
  sync_aggregate: z.object({
    sync_committee_bits: bytes(committeeSize / 8),
    sync_committee_signature: bytes(96),
  }),
  signature_slot: slot,
})

const update = finalityUpdate.extend({
  next_sync_committee: syncCommittee,
  next_sync_committee_branch: branch(6),
})

const bootstrap = z.object({
  header: lightHeader,
  current_sync_committee: syncCommittee,
  current_sync_committee_branch: branch(6),
})

/** Replies of beacon APIs (ethereum/beacon-APIs, light client), since Electra. */
export const bootstrapReply = z.object({ data: bootstrap })
export const finalityReply = z.object({ data: finalityUpdate })
export const updatesReply = z.array(z.object({ data: update })).max(128)

export type BeaconHeader = z.output<typeof beaconHeader>
export type ExecutionHeader = z.output<typeof executionHeader>
export type LightHeader = z.output<typeof lightHeader>
export type SyncCommittee = z.output<typeof syncCommittee>
export type FinalityUpdate = z.output<typeof finalityUpdate>
export type Update = z.output<typeof update>
export type Bootstrap = z.output<typeof bootstrap>
