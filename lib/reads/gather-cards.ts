import { chains } from '#lib/engine/chain-facts.ts'
import { readHealth } from '#lib/engine/engine-reads.ts'
import { type ChainView, cardQuestions } from '../page/chain-view.ts'
import { decodeHealths, type Healths } from '../page/healths.ts'
import { waiting } from '../page/reading.ts'
import { type Soon, soon } from '../page/soon.ts'
import { type ReadOptions, read } from './read-questions.ts'

/** Reads every chain's card. What takes longer than `withinMs` is left to the browser. */
export async function gather(
  address: string | undefined,
  options: ReadOptions,
): Promise<Readonly<Record<number, Soon<ChainView>>>> {
  return Object.fromEntries(
    await Promise.all(chains().map(async ({ id }) => [id, await soon(view(id, address, options))] as const)),
  )
}

async function view(chainId: number, address: string | undefined, options: ReadOptions): Promise<ChainView> {
  const [head = waiting, balance] = await read(chainId, cardQuestions(address), options)
  return { chainId, head, balance: address ? (balance ?? waiting) : null }
}

/** The chains' health from the gateway's health route; empty when it does not answer `withinMs`. */
export async function gatherHealths(withinMs: number): Promise<Healths> {
  try {
    return decodeHealths(await readHealth(AbortSignal.timeout(withinMs)))
  } catch {
    return {}
  }
}
