import { simulationErrors } from '../../wire/rejections.ts'
import type { Reply } from '../../wire/types.ts'
import type { ErrorPattern } from './error-pattern.ts'

/**
 * Refusals of a transaction, by class. What only one pool says (it is full, an address is reserved, a cap of its own) is
 * not here: it must not vote.
 */
export const transactionRules: readonly ErrorPattern[] = [
  {
    applies: ({ code }, { executes }) => executes && simulationErrors.has(code),
    reply: ({ code }) => ({ kind: 'rejected', class: simulationErrors.get(code) ?? 'vm-halt' }),
  },
  {
    applies: ({ message }, { sends }) =>
      sends &&
      /already ?known|\bknown transaction\b|already imported|already in mempool|transaction already exists|existing txn? with same hash/i.test(
        message,
      ),
    reply: { kind: 'known' },
  },
  rejection(
    'insufficient-funds',
    // geth allows as much gas as the sender can pay for.
    /gas required exceeds allowance \(0\)|insufficient ?(funds|(sender )?balance)|for sender balance|up-?front cost .*exceeds|balance too low|not enough (funds|balance)/i,
  ),
  // erigon says "mined" of a transaction that it finds in a block: whether it is this one is looked up.
  rejection('nonce-too-low', /nonce (is )?too low|old ?nonce|nonce has already been used|^(\w+: )?mined$/i),
  rejection(
    'nonce-too-high',
    /nonce (is )?too (high|far)|nonce ?gap|gapped nonce|future nonce|nonce too distant/i,
  ),
  rejection(
    'replacement-underpriced',
    /replacement ?(transaction underpriced|fee too low|not ?allowed)|gas price (too low )?to replace|could not replace existing|another transaction with same nonce/i,
  ),
  rejection(
    'tip-above-fee-cap',
    /(max )?priority ?fee( per gas)? (is |cannot be )?(higher|greater|above|more) than (the )?max ?fee|tip (is )?(higher|above|greater) (than )?(the )?fee ?cap/i,
  ),
  rejection(
    'fee-too-low',
    /(max fee per gas|fee ?cap|max_fee_per_gas).*(less|lower|below).*base ?fee|\bunderpriced|\bfee ?too ?low|gas price (is )?(below|less|lower).*(base ?fee|minimum)|below (the )?(configured )?minimum (gas price|priority fee|tip)|(tip|priority fee) (is )?(below|less than|lower than) (the )?minimum/i,
  ),
  rejection(
    'intrinsic-gas-too-low',
    // Anvil gives this one under the words of the other.
    /intrinsic gas (is )?too low|intrinsic gas exceeds|below intrinsic gas|not enough gas to cover minimal cost|floor data gas|^(\w+: )?intrinsic ?gas$|CallGasCostMoreThanGasLimit|call gas cost .*exceeds the gas limit/i,
  ),
  rejection(
    'exceeds-block-gas-limit',
    /exceeds (the )?(block gas limit|max(imum)? transaction gas limit)|gas ?limit ?(is )?(above|too high|exceeded|reached|greater than the block)|gas limit cap exceeded|intrinsic gas too high/i,
  ),
  rejection(
    'oversized',
    /oversized data|transaction (is )?too large|max ?tx ?size ?exceeded|l2 ?message too long/i,
    'sends',
  ),
  rejection(
    'initcode-too-large',
    /(max )?init ?code size exceed|init ?code (is )?too large|max ?init ?code/i,
    'sends',
  ),
  rejection(
    'type-not-supported',
    /transaction type (is )?(not |un)(supported|valid)|(unsupported|invalid) (transaction|tx) ?type|invalid ?tx ?type|fork supporting this/i,
    'sends',
  ),
  rejection('creation-without-data', /contract creation without any data/i),
]

function rejection(
  refused: Extract<Reply, { kind: 'rejected' }>['class'],
  words: RegExp,
  where: 'anywhere' | 'sends' = 'anywhere',
): ErrorPattern {
  return {
    applies: ({ message }, { executes, sends }) =>
      (sends || (executes && where === 'anywhere')) && words.test(message),
    reply: { kind: 'rejected', class: refused },
  }
}
