'use client'

import { useAccount } from 'wagmi'
import { useQuorumBalance, useQuorumRead } from '#wallet/quorum-reads.ts'
import { supply } from './call.ts'

export function Supply() {
  const { address } = useAccount()
  const { data, error } = useQuorumRead({ chainId: 137, ...supply })
  const { data: balance } = useQuorumBalance({ chainId: 137, address })
  return (
    <>
      <p data-testid="supply">
        {data ? `${data.value} by ${data.evidence?.operators} operators` : error?.message}
      </p>
      <p data-testid="own">{balance?.value.toString()}</p>
    </>
  )
}
