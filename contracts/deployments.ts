// biome-ignore-all format: written by `npm run dev`, `npm run demo` and `npm run deploy`.
/** By name: the ABI, and addresses by chain, of the local chains and of the real ones. */
export const deployments = {} as const
