/**
 * What providers' documents say that a request costs. A method that a document does not name costs its `default`.
 *
 * `alchemy`: https://www.alchemy.com/docs/reference/compute-unit-costs, undated, as of November 2026.
 * `ankr`: https://www.ankr.com/docs/rpc-service/pricing, EVM over HTTPS, undated, as of November 2026.
 * `chainstack`: https://docs.chainstack.com/docs/request-units, undated, as of November 2026. State, logs and blocks 127 or more blocks
 * behind the head cost 2, which no table of methods can say: where many are read, `{ "default": 2 }` errs on the safe side.
 * `infura`: https://docs.metamask.io/services/get-started/pricing/credit-cost, its Ethereum table as of 2024, and where the page of a method
 * had another figure in November 2026, that one. Other chains have rows of their own only for methods that no node is asked.
 * Its plans are by day: `perMonth` is thirty of them.
 * `quicknode`: https://www.quicknode.com/api-credits, undated, as of November 2026, for Ethereum, Arbitrum, Avalanche, Base, BNB, Linea,
 * Optimism, Polygon and most others. Gnosis, Scroll and zkSync cost 30, Celo and Fantom 40, Monad 50.
 */
export const unitPresets = {
  alchemy: {
    default: 20,
    net_version: 0,
    net_listening: 0,
    eth_chainId: 0,
    eth_syncing: 0,
    eth_accounts: 10,
    eth_blockNumber: 10,
    eth_feeHistory: 10,
    eth_maxPriorityFeePerGas: 10,
    eth_blobBaseFee: 10,
    eth_createAccessList: 10,
    eth_call: 26,
    eth_simulateV1: 40,
    eth_sendRawTransaction: 40,
    eth_getLogs: 60,
  },
  ankr: { default: 200 },
  chainstack: { default: 1 },
  infura: {
    default: 80,
    eth_chainId: 5,
    eth_getProof: 150,
    eth_getBlockTransactionCountByHash: 150,
    eth_getBlockTransactionCountByNumber: 150,
    eth_getTransactionByBlockHashAndIndex: 150,
    eth_getTransactionByBlockNumberAndIndex: 150,
    eth_getUncleByBlockHashAndIndex: 150,
    eth_getUncleByBlockNumberAndIndex: 150,
    eth_getUncleCountByBlockHash: 150,
    eth_getUncleCountByBlockNumber: 150,
    eth_getLogs: 255,
    eth_estimateGas: 300,
    eth_getBlockReceipts: 1000,
  },
  quicknode: { default: 20 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>
