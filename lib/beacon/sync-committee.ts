import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { BeaconHeader, FinalityUpdate, SyncCommittee } from './light-client-types.ts'
import { beaconHeaderRoot, merkleRoot, type Root } from './ssz.ts'

const { longSignatures, G1 } = bls12_381

/** The keys of one committee's members, ready to verify. */
export type Committee = readonly InstanceType<typeof G1.Point>[]

/** The last ones, by their root: every API sends the same, and its keys take 0.7 s to read. */
const known = new Map<string, Committee>()
const knownMax = 4

/** A committee that was proven to be the one of this root: its keys are those of validators, and consensus has checked each. */
export function readCommittee({ pubkeys }: SyncCommittee, root: Root): Committee {
  const key = bytesToHex(root)
  const committee = known.get(key) ?? pointsOf(pubkeys)
  known.delete(key)
  known.set(key, committee)
  const [oldest = key] = known.keys()
  if (known.size > knownMax) known.delete(oldest)
  return committee
}

/** A validator may be a member more than once. */
function pointsOf(pubkeys: readonly Uint8Array[]): Committee {
  const points = new Map<string, Committee[number]>()
  return pubkeys.map((pubkey) => {
    const key = bytesToHex(pubkey)
    const point = points.get(key) ?? G1.Point.fromBytes(pubkey)
    points.set(key, point)
    return point
  })
}

type SyncAggregate = FinalityUpdate['sync_aggregate']

/** Two of three members must have signed. */
export function hasEnoughSigners({ sync_committee_bits }: SyncAggregate): boolean {
  const bits = sync_committee_bits.reduce((sum, byte) => sum + bitsOf(byte), 0)
  return 3 * bits >= 2 * 8 * sync_committee_bits.length
}

const bitsOf = (byte: number) => [...byte.toString(2)].filter((bit) => bit === '1').length

/** Whether those members whose bits are set have signed this header. `signedEpoch`: the fork's version is that of then. */
export function isSignedBy(
  committee: Committee,
  header: BeaconHeader,
  { sync_committee_bits: bits, sync_committee_signature: signature }: SyncAggregate,
  signedEpoch: number,
): boolean {
  const signers = committee.filter((_, index) => ((bits[index >> 3] ?? 0) >> (index % 8)) % 2 === 1)
  const message = sha256(concatBytes(beaconHeaderRoot(header), domainAt(signedEpoch)))
  try {
    return longSignatures.verify(
      signature,
      longSignatures.hash(message, signatureScheme),
      longSignatures.aggregatePublicKeys(signers),
    )
  } catch {
    // It is no point of the curve.
    return false
  }
}

/** With proof of possession, which the deposit of each validator gave. */
const signatureScheme = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const domainType = hexToBytes('07000000')
const genesisValidatorsRoot = hexToBytes('4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95')

/** The first fork whose updates can be read. */
export const electra = { epoch: 364_032, version: '05000000' } as const
/** Those forks, the newest first (consensus-specs, configs/mainnet.yaml). */
export const forks = [{ epoch: 411_392, version: '06000000' }, electra] as const

function domainAt(epoch: number): Uint8Array {
  const { version } = forks.find((fork) => fork.epoch <= epoch) ?? electra
  const versionChunk = hexToBytes(version.padEnd(64, '0'))
  return concatBytes(domainType, merkleRoot([versionChunk, genesisValidatorsRoot]).subarray(0, 28))
}
