import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc'
import type { Abi, Hex } from 'viem'
import { root } from '../steps.ts'
import type { CompiledContract } from './setup-chain.ts'

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompilerContract>>>>
}

type CompilerContract = {
  readonly abi: Abi
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}

/** The artifact of another tool. Foundry writes the code in an object. */
type Artifact = { readonly abi: Abi; readonly bytecode: Hex | { readonly object: Hex } }

/** A contract of `contracts/`, compiled or as another tool compiled it. */
export function readContractSource(source: string): CompiledContract {
  const path = resolve(root, 'contracts', source)
  if (path.endsWith('.json')) {
    const { abi, bytecode } = JSON.parse(readFileSync(path, 'utf8')) as Artifact
    return { abi, bytecode: typeof bytecode === 'string' ? bytecode : bytecode.object, source: null }
  }
  const name = (path.split('/').at(-1) ?? '').replace('.sol', '')
  const contract = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const { abi, bytecode, input } = compileContract(contract, path, 'cancun')
  return {
    abi,
    bytecode,
    source: {
      input,
      compiler: solc.version().replace('.Emscripten.clang', ''),
      contract: `${contract}:${contract}`,
    },
  }
}

/** Compiles one contract of one file. What it imports is found beside it or in `node_modules`. */
export function compileContract(
  name: string,
  file: string | URL,
  evmVersion: 'paris' | 'cancun' = 'paris',
): {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  /** The whole input of the compiler, sources included. */
  readonly input: { readonly sources: Readonly<Record<string, { readonly content: string }>> }
} {
  const sources: Record<string, { content: string }> = { [name]: { content: readFileSync(file, 'utf8') } }
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion,
      // Without the metadata hash, the same source always gives the same bytecode.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const imported: Record<string, { content: string }> = {}
  const find = (path: string) => {
    const found = contentOf(path, file)
    if (found === null) return { error: `${path} is neither beside it nor in node_modules/` }
    imported[path] = { content: found }
    return { contents: found }
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: find })) as Output
  const faults = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'))
  const contract = output.contracts[name]?.[name]
  if (contract === undefined) throw new Error(`${file} has no contract ${name}`)
  return {
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
    input: { ...input, sources: { ...sources, ...imported } },
  }
}

function contentOf(path: string, file: string | URL): string | null {
  const beside = dirname(typeof file === 'string' ? file : fileURLToPath(file))
  for (const folder of [beside, join(root, 'node_modules')])
    try {
      return readFileSync(join(folder, path), 'utf8')
    } catch {}
  return null
}
