/** Takes the place of wagmi's own connector in its `createConfig`: next.config.mjs. Whoever imports it from wagmi gets wagmi's. */
export function injected(): never {
  throw new Error('wagmi finds no wallets here')
}
