/** A field on which honest nodes of a chain differ, so that it is returned only where the quorum's bytes agree on it. */
interface Quirk {
  readonly chainId: number
  readonly of: 'block' | 'receipt'
  readonly fields: readonly string[]
  /** Only in objects that the chain itself made, whose sender is the zero address. */
  readonly systemOnly: boolean
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
    systemOnly: false,
    source: 'https://docs.arbitrum.io/build-decentralized-apps/arbitrum-vs-ethereum/rpc-methods',
  },
  {
    // Comes some 30 s after the receipt itself.
    chainId: 42161,
    of: 'receipt',
    fields: ['timeboosted'],
    systemOnly: false,
    source: 'https://github.com/OffchainLabs/nitro/issues/3513',
  },
  {
    // Only a node with a classic node behind it knows these of what was before Nitro.
    chainId: 42161,
    of: 'receipt',
    fields: ['feeStats', 'l1SequenceNumber'],
    systemOnly: false,
    source: 'https://github.com/OffchainLabs/nitro/issues/3407',
  },
  {
    chainId: 42161,
    of: 'block',
    fields: ['l1BlockNumber', 'sendCount', 'sendRoot'],
    systemOnly: false,
    source: 'https://docs.arbitrum.io/build-decentralized-apps/arbitrum-vs-ethereum/rpc-methods',
  },
]

/** The sender of what the chain itself made. */
export const nobody = `0x${'0'.repeat(40)}`
const none: ReadonlySet<string> = new Set()

/** Which fields of such an object are not compared on that chain. */
export function looseFields(of: Quirk['of']) {
  const rows = quirks.filter((quirk) => quirk.of === of)
  const always = new Map(rows.map(({ chainId }) => [chainId, fieldsOf(rows, chainId, false)]))
  const inSystem = new Map(rows.map(({ chainId }) => [chainId, fieldsOf(rows, chainId, true)]))
  return ({ from }: Readonly<Record<string, unknown>>, chainId: number): ReadonlySet<string> =>
    (from === nobody ? inSystem : always).get(chainId) ?? none
}

function fieldsOf(rows: readonly Quirk[], chainId: number, isSystem: boolean): ReadonlySet<string> {
  return new Set(
    rows
      .filter((quirk) => quirk.chainId === chainId && (isSystem || !quirk.systemOnly))
      .flatMap((quirk) => quirk.fields),
  )
}
