import { readFileSync } from 'node:fs'
import type { Reply } from '../../../support/build-trie.ts'

/** Blocks and proofs of real chains and of test chains; `source` says which public repository has them. Bodies are left out. */
export interface HeaderFixture {
  readonly name: string
  readonly chainId: number
  readonly source: string
  readonly block: Readonly<Record<string, unknown>> & { readonly hash: string; readonly stateRoot: string }
}

interface ProofFixture {
  readonly name: string
  readonly source: string
  /** The block whose state it proves, where we have its header. */
  readonly header?: string
  readonly reply: Reply
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'))

export const headers = read('headers') as readonly HeaderFixture[]
export const proofs = read('proofs') as readonly ProofFixture[]

export const headerNamed = (name: string) => headers.find((header) => header.name === name) as HeaderFixture
