import { writeFileSync } from 'node:fs'
import { compileContract } from '../../scripts/contracts/compile.ts'

/** One compiled contract, to deploy or to place with `anvil_setCode`. */
type Artifact = {
  readonly bytecode: `0x${string}`
  readonly deployedBytecode: `0x${string}`
}

export const artifactsUrl = new URL('./artifacts.json', import.meta.url)

/** Compiles the contracts. This takes two seconds, so chains use the stored artifacts instead. */
export function compileContracts(): Record<'Multicall3' | 'Token' | 'Names' | 'Batch', Artifact> {
  const artifact = (name: string, file: string): Artifact => {
    const { bytecode, deployedBytecode } = compileContract(name, new URL(file, import.meta.url))
    return { bytecode, deployedBytecode }
  }
  return {
    Multicall3: artifact('Multicall3', './multicall3.sol'),
    Token: artifact('Token', './token.sol'),
    Names: artifact('Names', './names.sol'),
    Batch: artifact('Batch', './batch.sol'),
  }
}

if (import.meta.main) {
  writeFileSync(artifactsUrl, `${JSON.stringify(compileContracts(), null, 2)}\n`)
}
