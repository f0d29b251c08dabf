import { hashOf, transactionHashOf } from '../../support/scripted-chain.ts'

let asked = 0

/** Unused params for the methods of the cases, so that nothing is cached. */
export function sampleOf(method: string): readonly unknown[] {
  asked += 1
  const digits = asked.toString(16)
  const account = `0x${digits.padStart(40, 'a0')}`
  const target = { to: account, data: '0x01' }
  const samples: Readonly<Record<string, readonly unknown[]>> = {
    eth_getBalance: [account, 'latest'],
    eth_call: [target, 'latest'],
    eth_estimateGas: [target],
    eth_getLogs: [{ address: account, fromBlock: 'latest', toBlock: 'latest' }],
    eth_getTransactionReceipt: [transactionHashOf(asked)],
    eth_getBlockByHash: [hashOf(1000), false],
  }
  return samples[method] ?? []
}
