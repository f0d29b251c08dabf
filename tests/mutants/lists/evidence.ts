import type { Mutant } from '../mutant.ts'

export const evidence: readonly Mutant[] = [
  {
    name: 'takes the block of a simulation for one of another branch',
    file: 'doubt.ts',
    find: 'return onChain.has(shape) && ',
    replace: 'return (onChain.has(shape) || shape === "simulation") && ',
    by: 'scenarios/made-up-blocks.test.ts',
  },
  {
    name: 'takes an uncle for a block of another branch',
    file: 'doubt.ts',
    find: '!uncles.has(method)',
    replace: 'method !== ""',
    by: 'scenarios/made-up-blocks.test.ts',
  },
  {
    name: 'keeps no logs of a block by a hash that nobody has agreed on',
    file: 'recall.ts',
    find: 'if (isEmptyList(said.raw) && !isKnownByHash(chain, rule, pinned.params)) return',
    replace: '',
    by: 'scenarios/logs.test.ts',
  },
  {
    name: 'keeps no logs of a block whose bloom nobody has agreed on',
    file: 'recall.ts',
    find: 'heads.blockOf(ref.hash)?.logsBloom != null',
    replace: 'heads.blockOf(ref.hash) !== null',
    by: 'scenarios/logs.test.ts',
  },
  {
    name: 'answers a head with the certificate of a newer one',
    file: 'chain-heads.ts',
    find: 'evidences.get(agreed.block.hash) ?? remember(agreed)',
    replace: '[...evidences.values()].at(-1) ?? remember(agreed)',
    by: 'scenarios/heads.test.ts',
  },
  {
    name: 'loses a call to an observer that throws',
    file: 'gateway.ts',
    find: '} catch {\n      onFailure(event)',
    replace: '} catch (error) {\n      throw error',
    by: 'scenarios/observer.test.ts',
  },
  {
    name: 'lets the rejection of an observer escape',
    file: 'gateway.ts',
    find: 'if (returned instanceof Promise)',
    replace: 'if (returned === 1 && returned instanceof Promise)',
    by: 'scenarios/observer.test.ts',
  },
]
