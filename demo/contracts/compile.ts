import { readFileSync, writeFileSync } from 'node:fs'
import solc from 'solc'

/** One compiled contract: what is needed to deploy it, or to place it with `anvil_setCode`. */
export type Artifact = {
  readonly bytecode: `0x${string}`
  readonly deployedBytecode: `0x${string}`
}

export const artifactsUrl = new URL('./artifacts.json', import.meta.url)

const sources = { Multicall3: 'multicall3.sol', Token: 'token.sol' } as const

type Compiled = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<
      string,
      {
        evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
      }
    >
  >
}

/** Compiles our contracts anew. Takes two seconds, so what starts chains reads the kept artifacts instead. */
export function compileContracts(): Record<keyof typeof sources, Artifact> {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.values(sources).map((file) => [file, { content: read(file) }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'paris',
      // Without the metadata hash the same source gives the same bytes, whoever compiles it.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled
  const faults = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'))
  return {
    Multicall3: artifact(output, 'Multicall3'),
    Token: artifact(output, 'Token'),
  }
}

function artifact(output: Compiled, name: keyof typeof sources): Artifact {
  const contract = output.contracts[sources[name]]?.[name]
  if (contract === undefined) throw new Error(`${sources[name]} has no contract ${name}`)
  return {
    bytecode: `0x${contract.evm.bytecode.object}`,
    deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
  }
}

function read(file: string): string {
  return readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')
}

if (import.meta.main) {
  writeFileSync(artifactsUrl, `${JSON.stringify(compileContracts(), null, 2)}\n`)
}
