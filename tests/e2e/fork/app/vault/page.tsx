'use client'

import { erc20Abi } from 'viem'
import { useAccount, useReadContract, useWaitForTransactionReceipt, useWriteContract } from 'wagmi'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const vault = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

export default function Vault() {
  const { address } = useAccount()
  const { data: deposited, refetch } = useReadContract({
    abi: erc20Abi,
    address: token,
    functionName: 'balanceOf',
    args: [vault],
    chainId: 137,
  })
  const { writeContract, data: hash, isPending, error } = useWriteContract()
  const { isSuccess } = useWaitForTransactionReceipt({ hash, chainId: 137 })
  return (
    <section>
      <h1>Vault</h1>
      <p data-testid="deposited">{deposited?.toString()}</p>
      <button
        type="button"
        disabled={!address || isPending}
        onClick={() =>
          writeContract(
            {
              abi: erc20Abi,
              address: token,
              functionName: 'transfer',
              args: [vault, 1n],
              chainId: 137,
            },
            { onSettled: () => refetch() },
          )
        }
      >
        Deposit one unit
      </button>
      <p role="status">{isSuccess ? 'Deposited' : error?.message}</p>
    </section>
  )
}
