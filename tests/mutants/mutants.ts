import { ask } from './lists/ask.ts'
import { doors } from './lists/doors.ts'
import { electorate } from './lists/electorate.ts'
import { evidence } from './lists/evidence.ts'
import { forms } from './lists/forms.ts'
import { heads } from './lists/heads.ts'
import { memory } from './lists/memory.ts'
import { numbers } from './lists/numbers.ts'
import { queues } from './lists/queues.ts'
import { reorgs } from './lists/reorgs.ts'
import { tally } from './lists/tally.ts'
import { trust } from './lists/trust.ts'
import { upstreams } from './lists/upstreams.ts'
import { verdict } from './lists/verdict.ts'
import { wire } from './lists/wire.ts'
import { words } from './lists/words.ts'
import type { Mutant } from './mutant.ts'

/** Every rule of the engine that is broken on purpose, by subject. */
export const mutants: readonly Mutant[] = [
  ...electorate,
  ...tally,
  ...verdict,
  ...ask,
  ...upstreams,
  ...wire,
  ...memory,
  ...trust,
  ...heads,
  ...doors,
  ...words,
  ...forms,
  ...numbers,
  ...evidence,
  ...queues,
  ...reorgs,
]
