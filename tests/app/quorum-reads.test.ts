import { erc20Abi } from 'viem'
import { expectTypeOf, test } from 'vitest'
import type { QuorumRead } from '#lib/reads/quorum-read.ts'
import { useQuorumRead } from '../../app/_wallet/quorum-reads.ts'

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/** Checked by the compiler alone: a hook is called in no test of one function. */
function useTyped(owner: `0x${string}` | undefined) {
  const supply = useQuorumRead({ chainId: 137, abi: erc20Abi, address, functionName: 'totalSupply' })
  const balance = useQuorumRead({
    abi: erc20Abi,
    address,
    functionName: 'balanceOf',
    args: owner && [owner],
    query: { enabled: owner !== undefined },
  })
  const text = useQuorumRead({
    abi: erc20Abi,
    address: owner,
    functionName: 'symbol',
    query: { select: ({ value }) => value.length },
  })
  return [supply.data, balance.data, text.data] as const
}

test('useQuorumRead has the type of the value by the ABI, with arguments that are missing for now, and by select', () => {
  type Data<Value> = QuorumRead<Value> | undefined
  expectTypeOf(useTyped).returns.toEqualTypeOf<readonly [Data<bigint>, Data<bigint>, number | undefined]>()
})
