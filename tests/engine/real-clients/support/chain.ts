import { encodeAbiParameters, encodeFunctionData, type Hex, toHex } from 'viem'
import { type LocalChains, startChains } from '../../../../demo/chains.ts'
import { tokenAbi } from '../../../../demo/history.ts'
import { callNode } from '../../../../demo/json-rpc.ts'
import type { clientProfiles, RealName } from '../../../../demo/nodes/clients/client-profiles.ts'

export type ClientChain = Awaited<ReturnType<typeof startClientChain>>
export type ChainId = (typeof clientProfiles)[RealName]['chainId']

/** Mining ten thousand blocks takes anvil minutes. Ranges may also start below its first block, where there is nothing. */
const firstBlock = 20_000
const quietBlocks = 300
/** Providers return at most 10,000, and each more takes all nodes time. */
const logsPerCall = 1700
const noisyCalls = 6
const noisy = `0x${'a0'.repeat(20)}` as const
const reverting = `0x${'be'.repeat(20)}` as const

/** for (n = logsPerCall; n > 0; n--) LOG0(0, 0) */
const emitLogs = `0x61${logsPerCall.toString(16).padStart(4, '0')}5b5f5fa0600190038060035700` as const

/** A chain that starts at block 20,000, with a few hundred blocks and a contract that emitted more than ten thousand logs. */
export async function startClientChain(id: ChainId) {
  // No interval mining during the tests, so answers are compared at the same block.
  const chains: LocalChains = await startChains({ chains: [{ id, blockTimeS: 30, firstBlock }] })
  const { url, token } = chains.chain(id)
  await callNode(url, 'evm_setIntervalMining', [0])
  await callNode(url, 'anvil_setCode', [noisy, emitLogs])
  await callNode(url, 'anvil_setCode', [reverting, revertsWith('boom')])
  await callNode(url, 'anvil_mine', [toHex(quietBlocks), '0xc'])
  const [from] = await callNode<readonly Hex[]>(url, 'eth_accounts')
  for (let call = 0; call < noisyCalls; call++) {
    await callNode(url, 'eth_sendTransaction', [{ from, to: noisy, gas: toHex(4_000_000) }])
    await callNode(url, 'anvil_mine', ['0x1'])
  }
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [reverting, 5n] })
  const transaction = await callNode<Hex>(url, 'eth_sendTransaction', [{ from, to: token, data }])
  await callNode(url, 'anvil_mine', ['0x1'])
  const receipt = await callNode<{ blockNumber: Hex }>(url, 'eth_getTransactionReceipt', [transaction])
  await callNode(url, 'anvil_mine', ['0x3'])
  return {
    ...{ id, url, token },
    /** Emits `logsPerCall` logs whenever it is called. */
    noisy,
    /** Reverts with `Error("boom")`. */
    reverting,
    /** The last block; none is mined while the tests run. */
    head: Number(await callNode<Hex>(url, 'eth_blockNumber')),
    /** A block with transactions, and one of them. */
    block: Number(receipt.blockNumber),
    transaction,
    stop: chains.stop,
  }
}

/** Code that copies the appended `Error(reason)` and reverts with it. */
function revertsWith(reason: string): Hex {
  const words = encodeAbiParameters([{ type: 'string' }], [reason]).slice(2)
  const data = `08c379a0${words}`
  const size = (data.length / 2).toString(16).padStart(2, '0')
  // PUSH1 size, PUSH1 offset of the data, PUSH0, CODECOPY, PUSH1 size, PUSH0, REVERT
  return `0x60${size}600a5f3960${size}5ffd${data}`
}
