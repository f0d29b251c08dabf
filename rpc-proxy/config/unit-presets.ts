/**
 * What providers' documents say that a request costs. A method that a document does not name costs its `default`.
 *
 * `alchemy`: https://www.alchemy.com/docs/reference/compute-unit-costs, undated, as of November 2026.
 * `ankr`: https://www.ankr.com/docs/rpc-service/pricing, EVM over HTTPS, undated, as of November 2026.
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
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>
