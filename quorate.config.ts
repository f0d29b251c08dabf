/**
 * Chains and their public nodes, as they come with the repository. RPC_CONFIG and RPC_CONFIG_FILE replace all of it.
 *
 * A few voters are asked every day, because every voter raises the price of every read. The others are witnesses, asked while a
 * voter is unusable or outvoted and for protected calls, within 20,000 requests a day each (docs/risk.md). No two operators are
 * more than half of all weight. Weight 2 is for official and established single operators. Aggregators hold several operators'
 * nodes and so are correlated: weight 1. Ask all of them with `npm run nodes` before a release.
 */
const community = { community: true, weight: 1 }
const aggregator = { ...community, aggregator: true }
const witness = { role: 'witness', perDay: 20_000, ...community } as const
const off = { enabled: false }

export default {
  version: 1,
  chains: [
    {
      id: 137,
      name: 'Polygon',
      currency: { name: 'POL', symbol: 'POL', decimals: 18 },
      explorer: 'https://polygonscan.com',
      publicUrls: ['https://polygon-bor-rpc.publicnode.com', 'https://polygon.drpc.org'],
      operatorsMin: 2,
      headMaxAgeMs: 1000,
      nodes: [
        {
          name: 'publicnode',
          operator: 'allnodes',
          url: 'https://polygon-bor-rpc.publicnode.com',
          weight: 2,
        },
        { name: 'drpc', url: 'https://polygon.drpc.org', ...aggregator },
        { name: 'pocket', url: 'https://poly.api.pocket.network', ...aggregator },
        { name: 'nodeflare', url: 'https://rpc.nodeflare.app/polygon/public', ...community },
        { name: 'blockmachine', url: 'https://rpc-polygon.blockmachine.io/', ...witness },
        { name: 'keccak', url: 'https://polygon-rpc.keccak.io', ...witness },
        // 500 requests a day, then HTTP 402.
        {
          name: 'satelink',
          url: 'https://rpc.satelink.network/rpc/polygon',
          ...witness,
          perDay: 500,
          priority: 9,
        },
        // Says that it tracks its users.
        { name: 'tenderly', url: 'https://polygon.gateway.tenderly.co', ...off },
      ],
    },
    {
      id: 1,
      name: 'Ethereum',
      currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      explorer: 'https://etherscan.io',
      publicUrls: ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org'],
      operatorsMin: 2,
      headMaxAgeMs: 2000,
      nodes: [
        { name: 'publicnode', operator: 'allnodes', url: 'https://ethereum-rpc.publicnode.com', weight: 2 },
        { name: 'reth', operator: 'paradigm', url: 'https://ethereum.reth.rs/rpc', weight: 2 },
        { name: 'drpc', url: 'https://eth.drpc.org', ...aggregator },
        // What is sent there goes to private order flow.
        { name: 'mevblocker', operator: 'cow', url: 'https://rpc.mevblocker.io', writes: false, ...off },
        { name: 'pocket', url: 'https://eth.api.pocket.network', ...witness, aggregator: true },
        { name: 'nodeflare', url: 'https://rpc.nodeflare.app/eth/public', ...witness },
        { name: '0xrpc', url: 'https://0xrpc.io/eth', ...witness },
        { name: 'stakely', url: 'https://ethereum-json-rpc.stakely.io', ...witness },
      ],
    },
    {
      id: 42161,
      name: 'Arbitrum One',
      currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      explorer: 'https://arbiscan.io',
      publicUrls: ['https://arb1.arbitrum.io/rpc', 'https://arbitrum-one-rpc.publicnode.com'],
      operatorsMin: 2,
      headMaxAgeMs: 500,
      nodes: [
        { name: 'offchain', operator: 'offchain-labs', url: 'https://arb1.arbitrum.io/rpc', weight: 2 },
        {
          name: 'publicnode',
          operator: 'allnodes',
          url: 'https://arbitrum-one-rpc.publicnode.com',
          weight: 2,
        },
        { name: 'drpc', url: 'https://arbitrum.drpc.org', ...aggregator },
        { name: 'pocket', url: 'https://arb-one.api.pocket.network', ...witness, aggregator: true },
        { name: 'nodeflare', url: 'https://rpc.nodeflare.app/arb/public', ...witness },
        { name: 'fastnode', url: 'https://public-arb-mainnet.fastnode.io', ...witness },
        { name: 'blockmachine', url: 'https://rpc-arbitrum.blockmachine.io/', ...witness },
        { name: 'keccak', url: 'https://arb-rpc.keccak.io', ...witness },
      ],
    },
  ],
}
