import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { BeaconHeader, ExecutionHeader, SyncCommittee } from './light-client-types.ts'

/** Hash tree roots of the few containers that a light client reads (consensus-specs, ssz/simple-serialize.md). */
export type Root = Uint8Array

const chunkBytes = 32

/** The root of these chunks, filled up with zeros to the next power of two. */
export function merkleRoot(chunks: readonly Uint8Array[]): Root {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return only
  const size = 2 ** Math.ceil(Math.log2(chunks.length))
  let level = [...chunks, ...Array.from({ length: size - chunks.length }, () => zero)]
  while (level.length > 1)
    level = level.flatMap((left, index) =>
      index % 2 === 0 ? [hashOf(left, level[index + 1] as Uint8Array)] : [],
    )
  return level[0] as Root
}

/** The root that a branch leads to: `leaf` stands at this index of the branch's depth. */
export function rootOfBranch(leaf: Root, branch: readonly Root[], index: number): Root {
  return branch.reduce(
    (node, sibling, depth) => ((index >> depth) % 2 === 1 ? hashOf(sibling, node) : hashOf(node, sibling)),
    leaf,
  )
}

const zero = new Uint8Array(chunkBytes)

const hashOf = (left: Uint8Array, right: Uint8Array) => sha256(concatBytes(left, right))

/** A number, little end first. */
export function numberRoot(value: bigint): Root {
  const chunk = new Uint8Array(chunkBytes)
  let left = value
  for (let at = 0; left > 0n; at++) {
    chunk[at] = Number(left & 255n)
    left >>= 8n
  }
  return chunk
}

/** A vector of bytes. */
export function bytesRoot(bytes: Uint8Array): Root {
  const count = Math.ceil(bytes.length / chunkBytes)
  return merkleRoot(
    Array.from({ length: count }, (_, index) =>
      padded(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
    ),
  )
}

/** A list of at most 32 bytes. */
export function shortListRoot(bytes: Uint8Array): Root {
  return hashOf(padded(bytes), numberRoot(BigInt(bytes.length)))
}

function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length === chunkBytes) return bytes
  const chunk = new Uint8Array(chunkBytes)
  chunk.set(bytes)
  return chunk
}

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
