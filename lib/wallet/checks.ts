/** The hash of a transaction. */
export function isHash(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}

/** A wallet's accent must be a hex colour, `#rgb` or `#rrggbb`; throws an error that names the wallet. */
export function checkAccent({ name, iconAccent }: Readonly<{ name: string; iconAccent?: string }>): void {
  if (iconAccent && !/^#([0-9a-f]{3}){1,2}$/i.test(iconAccent)) {
    throw new Error(`Property \`iconAccent\` is not a hex value for wallet: ${name}`)
  }
}
