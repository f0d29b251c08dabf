import { readFileSync, writeFileSync } from 'node:fs'
import solc from 'solc'

/** One compiled contract, to deploy or to place with `anvil_setCode`. */
export type Artifact = {
  readonly bytecode: `0x${string}`
  readonly deployedBytecode: `0x${string}`
}

export const artifactsUrl = new URL('./artifacts.json', import.meta.url)

type Compiled = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<
      string,
      {
        abi: readonly unknown[]
        evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
      }
    >
  >
}

/** Compiles the contracts. This takes two seconds, so chains use the stored artifacts instead. */
export function compileContracts(): Record<'Multicall3' | 'Token', Artifact> {
  const { abi: _, ...Multicall3 } = compileContract(
    'Multicall3',
    new URL('./multicall3.sol', import.meta.url),
  )
  const { abi: __, ...Token } = compileContract('Token', new URL('./token.sol', import.meta.url))
  return { Multicall3, Token }
}

/** Compiles one contract of one file that imports nothing. */
export function compileContract(name: string, url: URL): Artifact & { readonly abi: readonly unknown[] } {
  const input = {
    language: 'Solidity',
    sources: { [name]: { content: readFileSync(url, 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'paris',
      // Without the metadata hash, the same source always gives the same bytecode.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled
  const faults = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'))
  const contract = output.contracts[name]?.[name]
  if (contract === undefined) throw new Error(`${url.pathname} has no contract ${name}`)
  return {
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
  }
}

if (import.meta.main) {
  writeFileSync(artifactsUrl, `${JSON.stringify(compileContracts(), null, 2)}\n`)
}
