import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Address } from 'viem'
import { root } from '../steps.ts'
import type { Deployment } from './setup-chain.ts'

/** A contract that has just been deployed, or was there. */
export interface DeployedContract {
  readonly name: string
  readonly abi: Abi
  readonly chainId: number
  readonly isLocal: boolean
  readonly address: Address
}

const file = join(root, 'contracts/deployments.ts')
const [head = '', tail = ''] = ['export const deployments = ', ' as const\n']

/** What is recorded. It is data: JSON between two words of TypeScript. */
export function readDeployments(path = file): Readonly<Record<string, Deployment>> {
  const text = readFileSync(path, 'utf8')
  return JSON.parse(text.slice(text.indexOf(head) + head.length, text.lastIndexOf(tail)))
}

/** Records contracts. A file that says the same stays untouched: local addresses are the same at each start. */
export function recordDeployments(contracts: readonly DeployedContract[], path = file): void {
  if (contracts.length === 0) return
  const text = readFileSync(path, 'utf8')
  const all: Record<string, Deployment> = { ...readDeployments(path) }
  for (const { name, abi, chainId, isLocal, address } of contracts) {
    const former = all[name]
    const key = isLocal ? 'local' : 'addresses'
    all[name] = { ...former, abi, [key]: { ...former?.[key], [chainId]: address } }
  }
  const next = `${text.slice(0, text.indexOf(head) + head.length)}${JSON.stringify(all, null, 2)}${tail}`
  if (next === text) return
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, next)
  renameSync(draft, path)
}
