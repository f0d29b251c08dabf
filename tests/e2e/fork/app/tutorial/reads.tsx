'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAbi } from 'viem'
import { useAccount, useBalance, useReadContract, useSwitchChain } from 'wagmi'
import { useAccountModal, useChainModal, useConnectModal } from '#wallet/modals.ts'
import { useQuorumRead } from '#wallet/quorum-reads.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const abi = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

export function Reads() {
  const { address, status, chainId } = useAccount()
  const { data: balance } = useBalance({ address })
  const read = {
    abi,
    address: token,
    functionName: 'balanceOf',
    args: address && ([address] as const),
    chainId: 137,
    query: { enabled: address !== undefined },
  } as const
  const { data: units } = useReadContract(read)
  const { data: agreed } = useQuorumRead({
    ...read,
    query: { ...read.query, staleTime: 1000, select: ({ value }) => value },
  })
  const { data: asked } = useQuery({ queryKey: ['mine'], queryFn: async () => 'my own query' })
  const { switchChain } = useSwitchChain()
  const { openConnectModal } = useConnectModal()
  const { openAccountModal } = useAccountModal()
  const { openChainModal } = useChainModal()
  return (
    <>
      <dl>
        <dt>status</dt>
        <dd data-testid="status">{status}</dd>
        <dt>chain</dt>
        <dd data-testid="chain">{chainId}</dd>
        <dt>balance</dt>
        <dd data-testid="balance">{balance?.formatted}</dd>
        <dt>token</dt>
        <dd data-testid="token">{units?.toString()}</dd>
        <dt>agreed</dt>
        <dd data-testid="agreed">{agreed?.toString()}</dd>
        <dt>query</dt>
        <dd data-testid="query">{asked}</dd>
      </dl>
      <button onClick={() => switchChain({ chainId: 1 })}>Ethereum</button>
      {openConnectModal && <button onClick={openConnectModal}>Connect modal</button>}
      {openAccountModal && <button onClick={openAccountModal}>Account modal</button>}
      {openChainModal && <button onClick={openChainModal}>Chain modal</button>}
    </>
  )
}
