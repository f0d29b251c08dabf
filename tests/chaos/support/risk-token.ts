import {
  type Address,
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  multicall3Abi,
} from 'viem'
import type { Side } from './risk-oracle.ts'
import { type Reply, tells } from './script.ts'

const multicall3: Address = '0xca11bde05977b3631167028862be2a173976ca11'
const token: Address = `0x${'70'.repeat(20)}`
const decimals = 18
const balances = { truth: 1000n, lie: 10n ** 24n } as const

/** A node for which every ERC-20 balance is what its side says, also within Multicall3; all else is true. */
export const tokenOf = (side: Side): Reply =>
  tells(({ params }) => {
    const { to, data } = params[0] as { readonly to: Address; readonly data: Hex }
    if (to.toLowerCase() !== multicall3) return resultOf(side, data)
    const { args } = decodeFunctionData({ abi: multicall3Abi, data })
    const [calls] = args as readonly [readonly { readonly callData: Hex }[]]
    const result = calls.map(({ callData }) => ({ success: true, returnData: resultOf(side, callData) }))
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
  })

function resultOf(side: Side, data: Hex): Hex {
  const { functionName } = decodeFunctionData({ abi: erc20Abi, data })
  return functionName === 'balanceOf'
    ? encodeFunctionResult({ abi: erc20Abi, functionName, result: balances[side] })
    : encodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', result: decimals })
}

let holders = 0

/** How a caller reads a balance that nobody has asked for: by a plain call, or with other reads through Multicall3. */
export const readings = {
  'a plain call': () => ({
    params: [{ to: token, data: balanceCall() }, 'latest'],
    read: (result: Hex) => sideOf(result),
  }),
  'a call of Multicall3': () => {
    const other = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
    const calls = [other, balanceCall(), other].map((callData) => ({
      target: token,
      allowFailure: true,
      callData,
    }))
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
    return {
      params: [{ to: multicall3, data }, 'latest'],
      read(result: Hex) {
        const found = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: result })
        return sideOf(found[1]?.returnData ?? '0x')
      },
    }
  },
}

function balanceCall(): Hex {
  holders += 1
  const holder: Address = `0x${holders.toString(16).padStart(40, 'b0')}`
  return encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
}

const sideOf = (data: Hex): Side | undefined =>
  (['truth', 'lie'] as const).find(
    (side) => balances[side] === decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data }),
  )
