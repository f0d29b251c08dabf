import { expect } from '@playwright/test'
import { encodeFunctionData, type Hex } from 'viem'
import { tokenAbi } from '../../../demo/history.ts'
import { callNode } from '../../../demo/json-rpc.ts'
import { execute } from '../../support/odd-tokens.ts'

/** What `spender` may take of a token of `owner`. */
export interface Allowance {
  readonly owner: Hex
  readonly token: Hex
  readonly spender: Hex
}

/** Approves on the chain itself, for which its own node signs. */
export async function approve(chainUrl: string, { owner, token, spender }: Allowance, value: bigint) {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [spender, value] })
  await execute(chainUrl, { from: owner, to: token, data })
}

export async function allowanceOf(chainUrl: string, { owner, token, spender }: Allowance): Promise<bigint> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args: [owner, spender] })
  return BigInt(await callNode<Hex>(chainUrl, 'eth_call', [{ to: token, data }, 'latest']))
}

/** Waits until the head for protected calls of this gateway, which reviews are made of, has everything that the chain has now. */
export async function catchUp(chainUrl: string, gateway: string): Promise<void> {
  const protect = { 'x-quorate-protect': '1' }
  const head = Number(await callNode(chainUrl, 'eth_blockNumber'))
  await expect
    .poll(async () => Number(await callNode(gateway, 'eth_blockNumber', [], protect).catch(() => 0)))
    .toBeGreaterThanOrEqual(head)
}
