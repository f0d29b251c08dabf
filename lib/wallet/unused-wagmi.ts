/**
 * wagmi's `createConfig` imports its own connector, discovery and storage. They are off here (lib/wallet/config.ts), so next.config.mjs
 * replaces these three imports by this file. `import { injected, createStorage } from 'wagmi'` still gives wagmi's own.
 */
function refuse(): never {
  throw new Error('wagmi has no discovery and no storage here: see resolveAlias in next.config.mjs')
}

export const injected = refuse
export const createStore = refuse
export const createStorage = refuse
export const getDefaultStorage = refuse
