import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem'
import type { ReadCall } from '#lib/page/reading.ts'
import { agreed } from '../../support/readings.ts'
import { word } from './event-words.ts'

type Read = { readonly target: Hex; readonly allowFailure: boolean; readonly callData: Hex }

/** The reads in a call of Multicall3. */
export function readsIn({ params }: ReadCall): readonly Read[] {
  const [{ data }] = params as [{ data: Hex }]
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data })
  return functionName === 'aggregate3' ? (args[0] as readonly Read[]) : []
}

/** What Multicall3 answers; `reverts` where a read fails. */
export function aggregated(answers: readonly (Hex | 'reverts')[]) {
  const result = answers.map((answer) =>
    answer === 'reverts' ? { success: false, returnData: word(7n) } : { success: true, returnData: answer },
  )
  return agreed(encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }))
}
