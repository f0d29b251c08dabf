/** A block number with thin groups: 12 845 221. Same text on server and client, whatever their locale. */
export function formatBlock(block: number): string {
  return String(block).replace(/\B(?=(\d{3})+$)/g, '\u2009')
}

/** A weight as people write it: 2, 1.5. */
export function formatWeight(weight: number): string {
  return String(Math.round(weight * 100) / 100)
}

/** The seed's short form of an address: its first four characters, an ellipsis, its last four. */
export function formatAddress(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`
}

/** Names longer than 24 characters end in an ellipsis; no character is cut in two. */
export function formatName(name: string): string {
  const characters = [...name]
  return characters.length > 24 ? `${characters.slice(0, 24).join('')}…` : name
}

/** An amount split at its point: whole digits grouped, at most `digitsMax` decimals, cut and never rounded up. */
export function splitAmount(
  units: bigint,
  decimals: number,
  digitsMax = 6,
): { whole: string; fraction: string } {
  const text = units.toString().padStart(decimals + 1, '0')
  const whole = text.slice(0, text.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = text.slice(text.length - decimals, text.length - decimals + digitsMax).replace(/0+$/, '')
  return { whole, fraction }
}

/** The amount in one piece; what is smaller than can be shown is marked so. */
export function formatAmount(units: bigint, decimals: number, digitsMax = 6): string {
  const { whole, fraction } = splitAmount(units, decimals, digitsMax)
  if (units > 0n && whole === '0' && fraction === '') return `<0.${'0'.repeat(digitsMax - 1)}1`
  return fraction ? `${whole}.${fraction}` : whole
}

/** The amount to its last digit: for what is signed. */
export function formatExact(units: bigint, decimals: number): string {
  return formatAmount(units, decimals, decimals)
}

/** The amount rounded up to `digitsMax` decimals: for what is promised to be the most. */
export function formatAtMost(units: bigint, decimals: number, digitsMax = 8): string {
  const step = 10n ** BigInt(Math.max(0, decimals - digitsMax))
  return formatAmount(((units + step - 1n) / step) * step, decimals, digitsMax)
}
