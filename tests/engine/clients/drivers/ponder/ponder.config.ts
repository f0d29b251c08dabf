import { createConfig } from 'ponder'

const abi = [
  {
    type: 'event',
    name: 'Transfer',
    inputs: [
      { name: 'from', type: 'address', indexed: true },
      { name: 'to', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
] as const

export default createConfig({
  database: { kind: 'pglite', directory: process.env.ROWS },
  chains: {
    tried: { id: Number(process.env.CHAIN_ID), rpc: process.env.TRIED_URL, ws: process.env.TRIED_SOCKET },
  },
  contracts: { Token: { chain: 'tried', abi, address: process.env.TOKEN as `0x${string}`, startBlock: 0 } },
  blocks: { Block: { chain: 'tried', startBlock: 0, interval: 1 } },
})
