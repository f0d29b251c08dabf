/**
 * Takes the place of what wagmi's `createConfig` loads and is not used here, its connector, its discovery and its storage:
 * next.config.mjs. Whoever imports these from wagmi gets wagmi's.
 */
export function injected(): never {
  throw new Error('wagmi finds no wallets here')
}

/** No discovery. */
export const createStore = (): undefined => undefined

/** No storage. */
export const createStorage = (): null => null
export const getDefaultStorage = createStorage
