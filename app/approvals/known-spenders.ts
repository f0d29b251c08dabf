import { permit2 } from '#lib/wallet/watched.ts'

interface KnownSpender {
  readonly name: string
  readonly address: `0x${string}`
  /** Where it is; without them on every chain. */
  readonly chainIds?: readonly number[]
  /** It also takes by allowances that Permit2 has in its own books. */
  readonly isPermitted?: true
}

/** Contracts that many have approved: asked for each token of the site, and called by these names. */
const spenders: readonly KnownSpender[] = [
  { name: 'Permit2', address: permit2 },
  {
    name: 'Uniswap router',
    address: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    chainIds: [1, 10, 137, 42161],
  },
  {
    name: 'Uniswap v3 router',
    address: '0xE592427A0AEce92De3Edee1F18E0157C05861564',
    chainIds: [1, 10, 137, 42161],
  },
  {
    name: 'Uniswap universal router',
    address: '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af',
    chainIds: [1],
    isPermitted: true,
  },
  {
    name: 'Uniswap universal router',
    address: '0x1095692A6237d83C6a72F3F5eFEdb9A670C49223',
    chainIds: [137],
    isPermitted: true,
  },
  {
    name: 'Uniswap universal router',
    address: '0xA51afAFe0263b40EdaEf0Df8781eA9aa03E381a3',
    chainIds: [42161],
    isPermitted: true,
  },
  { name: '1inch v6', address: '0x111111125421cA6dc452d289314280a0f8842A65', isPermitted: true },
  { name: '1inch v5', address: '0x1111111254EEB25477B68fb85Ed929f73A960582' },
  { name: '0x', address: '0x0000000000001fF3684f28c67538d4D072C22734' },
  {
    name: '0x, before 2025',
    address: '0xDef1C0ded9bec7F1a1670819833240f027b25EfF',
    chainIds: [1, 137, 42161],
  },
  { name: 'CoW Swap', address: '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110' },
  { name: 'Aave v3', address: '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2', chainIds: [1] },
  { name: 'Aave v3', address: '0x794a61358D6845594F94dc1DB02A252b5b4814aD', chainIds: [10, 137, 42161] },
  { name: 'OpenSea', address: '0x1E0049783F008A0085193E00003D00cd54003c71' },
]

export function spendersOf(chainId: number): readonly KnownSpender[] {
  return spenders.filter(({ chainIds }) => chainIds?.includes(chainId) ?? true)
}
