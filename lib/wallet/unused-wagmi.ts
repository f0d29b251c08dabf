/**
 * Takes the place of what wagmi's `createConfig` loads and is not used here, its connector, its discovery and its storage:
 * next.config.mjs. Whoever imports its connector or its storage from wagmi gets wagmi's.
 */
function refuse(): never {
  throw new Error('wagmi has no discovery and no storage here: see resolveAlias in next.config.mjs')
}

export const injected = refuse
export const createStore = refuse
export const createStorage = refuse
export const getDefaultStorage = refuse
