import { writeFileSync } from 'node:fs'
import { compileContract } from '../../../../scripts/contracts/compile.ts'

/** The contents of `probe.json`. */
export function compileProbe(): { readonly abi: readonly unknown[]; readonly bytecode: string } {
  const { abi, bytecode } = compileContract('Probe', new URL('./probe.sol', import.meta.url))
  return { abi, bytecode }
}

if (import.meta.main)
  writeFileSync(new URL('./probe.json', import.meta.url), `${JSON.stringify(compileProbe(), null, 2)}\n`)
