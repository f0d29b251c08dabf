/** Development chains mine when they are told to, and are reset at will. */
export const isDevChain = (chainId: number): boolean => chainId === 1337 || chainId === 31_337
