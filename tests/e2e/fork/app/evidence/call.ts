import { erc20Abi } from 'viem'

export const supply = {
  abi: erc20Abi,
  address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  functionName: 'totalSupply',
} as const
