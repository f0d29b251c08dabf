import type { BeaconHeader, ExecutionHeader, SyncCommittee } from './light-client-types.ts'
import { bytesRoot, merkleRoot, numberRoot, type Root, shortListRoot } from './ssz.ts'

export function beaconHeaderRoot(header: BeaconHeader): Root {
  const { slot, proposer_index, parent_root, state_root, body_root } = header
  return merkleRoot([
    numberRoot(BigInt(slot)),
    numberRoot(proposer_index),
    parent_root,
    state_root,
    body_root,
  ])
}

/** The header of an execution payload, since Deneb. */
export function executionHeaderRoot(header: ExecutionHeader): Root {
  return merkleRoot([
    header.parent_hash,
    bytesRoot(header.fee_recipient),
    header.state_root,
    header.receipts_root,
    bytesRoot(header.logs_bloom),
    header.prev_randao,
    numberRoot(header.block_number),
    numberRoot(header.gas_limit),
    numberRoot(header.gas_used),
    numberRoot(header.timestamp),
    shortListRoot(header.extra_data),
    numberRoot(header.base_fee_per_gas),
    header.block_hash,
    header.transactions_root,
    header.withdrawals_root,
    numberRoot(header.blob_gas_used),
    numberRoot(header.excess_blob_gas),
  ])
}

export function committeeRoot({ pubkeys, aggregate_pubkey }: SyncCommittee): Root {
  return merkleRoot([merkleRoot(pubkeys.map(bytesRoot)), bytesRoot(aggregate_pubkey)])
}
