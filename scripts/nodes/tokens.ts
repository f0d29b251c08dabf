import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, multicall3Abi } from 'viem'
import { readLabel } from '#lib/token/erc20.ts'
import type { ListedToken } from '#lib/token/token-list.ts'
import { multicall3 } from '#lib/wallet/multicall3.ts'
import type { ProbeCall } from './probe.ts'

/**
 * One sentence for each listed token whose contract reports something else. Null if no answer comes from more than half of the nodes
 * that answer.
 */
export async function compareTokens(
  calls: readonly ProbeCall[],
  tokens: readonly ListedToken[],
): Promise<readonly string[] | null> {
  if (tokens.length === 0) return []
  const reads = tokens.flatMap(({ address: target }) =>
    (['decimals', 'symbol'] as const).map((functionName) => ({
      target,
      allowFailure: true,
      callData: encodeFunctionData({ abi: erc20Abi, functionName }),
    })),
  )
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [reads] })
  const replies = await Promise.all(
    calls.map((call) => call('eth_call', [{ to: multicall3, data }, 'latest'])),
  )
  const votes = replies.filter((reply) => typeof reply === 'string')
  const agreed = votes.find((vote) => votes.filter((other) => other === vote).length * 2 > votes.length)
  if (agreed === undefined || agreed === '0x') return null
  const results = decodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    data: agreed as Hex,
  })
  return tokens.flatMap(({ chainId, address, ...listed }, index) => {
    const [decimals, symbol] = results.slice(2 * index, 2 * index + 2).map(({ returnData }) => returnData)
    const label = readLabel(decimals, symbol)
    const name = `${listed.symbol} ${address}`
    if (label === null) return [`${name}: no token answers there`]
    return [
      ...(label.decimals === listed.decimals
        ? []
        : [`${name}: decimals ${listed.decimals}, on chain ${chainId} ${label.decimals}`]),
      ...(label.symbol === listed.symbol ? [] : [`${name}: symbol on chain ${chainId} is ${label.symbol}`]),
    ]
  })
}
