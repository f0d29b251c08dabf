/** A field on which honest nodes of a chain differ, so that it is returned only where the quorum's bytes agree on it. */
interface Quirk {
  readonly chainId: number
  readonly of: 'block' | 'receipt'
  readonly fields: readonly string[]
  /** Only in objects that the chain itself made, whose sender is the zero address. */
  readonly systemOnly?: true
  readonly source: string
}

/**
 * Not here, though honest nodes differ on them too, because leaving them out would let one node hide an event: logs and
 * receipts of Polygon's state syncs that erigon or bor lack (https://github.com/erigontech/erigon/issues/14040,
 * https://github.com/0xPolygon/erigon/issues/64, https://github.com/0xPolygon/bor/issues/1607) or number otherwise
 * (https://github.com/erigontech/erigon/issues/16944). There the groups split, and who has quorum wins.
 */
export const quirks: readonly Quirk[] = [
  {
    // bor says 0 for both, erigon what the block's other transactions used and the base fee.
    chainId: 137,
    of: 'receipt',
    fields: ['cumulativeGasUsed', 'effectiveGasPrice'],
    systemOnly: true,
    source: 'https://github.com/0xPolygon/bor/issues/1801',
  },
  {
    // Nitro's own, and computed by the node: missing from what providers put in front of it.
    chainId: 42161,
    of: 'receipt',
    fields: ['l1BlockNumber', 'gasUsedForL1'],
    source: 'https://docs.arbitrum.io/build-decentralized-apps/arbitrum-vs-ethereum/rpc-methods',
  },
  {
    // Comes some 30 s after the receipt itself.
    chainId: 42161,
    of: 'receipt',
    fields: ['timeboosted'],
    source: 'https://github.com/OffchainLabs/nitro/issues/3513',
  },
  {
    // Only a node with a classic node behind it knows these of what was before Nitro.
    chainId: 42161,
    of: 'receipt',
    fields: ['feeStats', 'l1SequenceNumber'],
    source: 'https://github.com/OffchainLabs/nitro/issues/3407',
  },
  {
    chainId: 42161,
    of: 'block',
    fields: ['l1BlockNumber', 'sendCount', 'sendRoot'],
    source: 'https://docs.arbitrum.io/build-decentralized-apps/arbitrum-vs-ethereum/rpc-methods',
  },
]

/** The sender of what the chain itself made. */
export const nobody = `0x${'0'.repeat(40)}`
const none: ReadonlySet<string> = new Set()

/** Which fields of such an object are not compared on that chain. */
export function looseFields(of: Quirk['of']) {
  const inSystem = byChain(quirks.filter((quirk) => quirk.of === of))
  const always = byChain(quirks.filter((quirk) => quirk.of === of && !quirk.systemOnly))
  return ({ from }: Readonly<Record<string, unknown>>, chainId: number): ReadonlySet<string> =>
    (from === nobody ? inSystem : always).get(chainId) ?? none
}

function byChain(rows: readonly Quirk[]): ReadonlyMap<number, ReadonlySet<string>> {
  const fieldsOf = (id: number) =>
    rows.filter(({ chainId }) => chainId === id).flatMap(({ fields }) => fields)
  return new Map(rows.map(({ chainId }) => [chainId, new Set(fieldsOf(chainId))]))
}
