/** One rule of the engine, broken on purpose. */
export interface Mutant {
  /** What the engine then does wrong. */
  readonly name: string
  /** Below rpc-proxy/. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The suite that should notice, the fastest that does: `sim`, `model`, or a test file below tests/. */
  readonly by: string
  /** One of the eight breaks that the simulation must catch. */
  readonly isShown?: true
}

const electorate: readonly Mutant[] = [
  {
    name: 'counts nodes instead of weight',
    file: 'quorum/electorate.ts',
    find: 'weight += weights[31 - Math.clz32(bits & -bits)] ?? 0',
    replace: 'weight += weights.length > 0 ? 1 : 0',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'forgets operatorsMin',
    file: 'quorum/electorate.ts',
    find: ' || countOf(operators) < electorate.operatorsMin',
    replace: '',
    by: 'sim',
  },
  {
    name: 'takes a quorum that is reached for one that must be passed',
    file: 'quorum/electorate.ts',
    find: 'weight < electorate.needed',
    replace: 'weight <= electorate.needed',
    by: 'sim',
  },
  {
    name: 'lets an operator weigh the sum of its nodes',
    file: 'quorum/electorate.ts',
    find: 'Math.max(weight, heaviest.get(operator) ?? 0)',
    replace: 'weight + (heaviest.get(operator) ?? 0)',
    by: 'sim',
  },
  {
    name: 'takes half for more than half',
    file: 'quorum/electorate.ts',
    find: 'weight * 2 > electorate.total',
    replace: 'weight * 2 >= electorate.total',
    by: 'rpc-proxy/quorum/electorate.test.ts',
  },
  {
    name: 'asks one operator for a majority',
    file: 'quorum/electorate.ts',
    find: 'Math.min(2, electorate.operators.length)',
    replace: '1',
    by: 'rpc-proxy/quorum/electorate.test.ts',
  },
]

const tally: readonly Mutant[] = [
  {
    name: 'lets an operator that contradicts itself vote twice',
    file: 'quorum/tally.ts',
    find: 'if (elsewhere !== undefined) {',
    replace: 'if (elsewhere !== undefined && split < 0) {',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'leaves an operator that contradicts itself in its first camp',
    file: 'quorum/tally.ts',
    find: 'elsewhere.operators &= ~operator',
    replace: 'elsewhere.operators |= operator',
    by: 'model',
  },
  {
    name: 'lets an operator that contradicted itself come back',
    file: 'quorum/tally.ts',
    find: 'else if (!(split & operator)) camp.operators |= operator',
    replace: 'else camp.operators |= operator',
    by: 'model',
  },
  {
    name: 'counts all answers as one camp',
    file: 'quorum/tally.ts',
    find: "other.kind === 'answer' && other.text === text",
    replace: "other.kind === 'answer'",
    by: 'model',
  },
  {
    name: 'counts all reverts as one camp, whatever their data',
    file: 'quorum/tally.ts',
    find: 'camp.kind === kind && camp.text === text',
    replace: 'camp.kind === kind',
    by: 'sim',
  },
  {
    name: 'lets bytes that are no JSON vote',
    file: 'quorum/tally.ts',
    find: 'value === unparsed ? null : reading(value)',
    replace: 'value === unparsed ? raw : reading(value)',
    by: 'sim',
  },
]

const verdict: readonly Mutant[] = [
  {
    name: 'believes the first null',
    file: 'quorum/verdict.ts',
    find: 'nullOf(situation) !== undefined && isEverybodyHeard(situation)',
    replace: 'nullOf(situation) !== undefined',
    by: 'model',
  },
  {
    name: 'believes one node that has what others lack',
    file: 'quorum/verdict.ts',
    find: 'countOf(operators) >= Math.min(2, electorate.operators.length) && ',
    replace: '',
    by: 'model',
  },
  {
    name: 'believes empty logs against a bloom',
    file: 'quorum/verdict.ts',
    find: 'isQuorum(electorate, camp.operators) && !isSuspicious(camp.variants[0]?.value)',
    replace: 'isQuorum(electorate, camp.operators)',
    by: 'scenarios/objects.test.ts',
  },
  {
    name: 'gives up while a node could still decide it',
    file: 'quorum/situation.ts',
    find: 'return awaited | stalled | unasked',
    replace: 'return awaited | stalled',
    by: 'model',
  },
  {
    name: 'gives up on whoever has stalled',
    file: 'quorum/situation.ts',
    find: 'return awaited | stalled | unasked',
    replace: 'return awaited | unasked',
    by: 'model',
  },
  {
    name: 'asks no second node before it must',
    file: 'quorum/verdict.ts',
    find: '!isQuorum(electorate, awaited) && !camps.some',
    replace: 'awaited === 0 && !camps.some',
    by: 'model',
  },
  {
    name: 'asks everybody at once',
    file: 'quorum/verdict.ts',
    find: 'if (unasked === 0) return false',
    replace: 'if (unasked !== 0) return true',
    by: 'model',
  },
  {
    name: 'does not ask everybody before it believes a null',
    file: 'quorum/verdict.ts',
    find: '(situation.camps.some((camp) => camp.isNull) && situation.unaskedUsable !== 0)',
    replace: 'false',
    by: 'model',
  },
  {
    name: 'takes the first estimate for the median of all',
    file: 'quorum/numbers.ts',
    find: '(isEverybodyHeard(situation) || situation.late) &&',
    replace: '',
    by: 'sim',
  },
  {
    name: 'lets no revert win an estimate',
    file: 'quorum/numbers.ts',
    find: 'applies: (situation) => word(situation) !== undefined',
    replace: 'applies: () => false',
    by: 'sim',
  },
  {
    name: 'takes the lower of two middles where the upper is asked for',
    file: 'quorum/median.ts',
    find: 'upper ? below * 2 > total : below * 2 >= total',
    replace: 'below * 2 >= total',
    by: 'rpc-proxy/quorum/median.test.ts',
  },
  {
    name: 'sorts quantities as text',
    file: 'quorum/median.ts',
    find: 'a.value < b.value ? -1 : a.value > b.value ? 1 : 0',
    replace: 'String(a.value) < String(b.value) ? -1 : 1',
    by: 'rpc-proxy/quorum/median.test.ts',
  },
  {
    name: 'takes the highest nonce that anybody says',
    file: 'quorum/median.ts',
    find: 'if (isQuorum(reached)) return value',
    replace: 'if (isQuorum(reached) || reached !== 0) return value',
    by: 'sim',
  },
]

const ask: readonly Mutant[] = [
  {
    name: 'forgets to abort what it gave up',
    file: 'quorum/ask.ts',
    find: 'if (isAnyInFlight) controller.abort(over)',
    replace: 'if (isAnyInFlight) void over',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'leaves its timers behind',
    file: 'quorum/ask.ts',
    find: 'for (const cancel of timers) cancel()',
    replace: '',
    by: 'scenarios/asking.test.ts',
  },
  {
    name: 'repeats for ever what a node is behind with',
    file: 'quorum/ask.ts',
    find: 'hear(voter, record, false)',
    replace: 'hear(voter, record, true)',
    by: 'sim',
  },
  {
    name: 'lets a deadline pass',
    file: 'quorum/ask.ts',
    find: 'late = true',
    replace: 'late = false',
    by: 'sim',
  },
  {
    name: 'hears nobody leave',
    file: 'quorum/ask.ts',
    find: "signal?.addEventListener('abort', leave, { once: true })",
    replace: '',
    by: 'sim',
  },
]

const upstreams: readonly Mutant[] = [
  {
    name: 'takes the body of an HTTP error for an answer',
    file: 'upstreams/exchange.ts',
    find: "if (status !== 200) return refused({ kind: 'fault', fault: 'http' }, status < 500 ? text : null)",
    replace: '',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'takes an answer to another id',
    file: 'upstreams/exchange.ts',
    find: "if (response.id !== String(id)) return { kind: 'fault', fault: 'wrong-id' }",
    replace: '',
    by: 'sim',
  },
  {
    name: 'sends calls that were given up',
    file: 'upstreams/exchange.ts',
    find: 'const calls = waiting.filter(({ signal }) => !signal.aborted)',
    replace: 'const calls = waiting',
    by: 'rpc-proxy/upstreams/exchange.test.ts',
  },
  {
    name: 'takes answers of another version',
    file: 'wire/reply.ts',
    find: `version !== '"2.0"'`,
    replace: 'version === undefined',
    by: 'sim',
  },
  {
    name: 'takes the first of two results',
    file: 'wire/reply.ts',
    find: `      if (result !== null) return null
      result = slice`,
    replace: '      result ??= slice',
    by: 'sim',
  },
  {
    name: 'takes a result that comes with an error',
    file: 'wire/reply.ts',
    find: 'if (error === null) return result === null',
    replace: 'if (error === null || result !== null) return result === null',
    by: 'sim',
  },
  {
    name: 'takes either of two ids',
    file: 'wire/reply.ts',
    find: 'if (id !== null) return null',
    replace: '',
    by: 'sim',
  },
  {
    name: 'believes nodes of any chain',
    file: 'upstreams/node.ts',
    find: 'const right = served === chainId',
    replace: 'const right = served === chainId || chainId > 0',
    by: 'sim',
  },
  {
    name: 'takes an unknown error for a revert',
    file: 'upstreams/classify.ts',
    find: "const otherwise = { kind: 'fault', fault: 'error' } as const satisfies Reply",
    replace: "const otherwise = { kind: 'revert', data: '0x' } as const satisfies Reply",
    by: 'sim',
  },
  {
    name: 'drops the data of reverts',
    file: 'upstreams/classify.ts',
    find: "revertData(data) ?? revertData(message) ?? '0x'",
    replace: "revertData(message) ?? '0x'",
    by: 'sim',
  },
  {
    name: 'takes a node that is behind for a faulty one',
    file: 'upstreams/classify.ts',
    find: "reply: () => ({ kind: 'behind' })",
    replace: "reply: () => ({ kind: 'fault', fault: 'error' })",
    by: 'rpc-proxy/upstreams/classify.test.ts',
  },
  {
    name: 'never opens a breaker',
    file: 'upstreams/breaker.ts',
    find: 'breaker.faults + 1 < faultsMax',
    replace: 'breaker.faults + 1 < 1e9',
    by: 'rpc-proxy/upstreams/breaker.test.ts',
  },
]

const wire: readonly Mutant[] = [
  {
    name: 'reads ids as numbers',
    file: 'wire/decode.ts',
    find: "if (member.key === 'id') id = slice",
    replace: "if (member.key === 'id') id = JSON.stringify(JSON.parse(slice))",
    by: 'sim',
  },
  {
    name: 'answers a batch from its end',
    file: 'handler.ts',
    find: 'body: `[${texts.join',
    replace: 'body: `[${texts.reverse().join',
    by: 'sim',
  },
  {
    name: 'answers notifications',
    file: 'handler.ts',
    find: "if (ended.id === undefined) return end(rooms, open, { status: 204, headers: {}, body: '' })",
    replace: '',
    by: 'sim',
  },
  {
    name: 'compares receipts without their status',
    file: 'wire/objects.ts',
    find: '  status: nullable(quantity),\n',
    replace: '',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'compares logs without their data',
    file: 'wire/objects.ts',
    find: '  topics: list(hash),\n  data,\n',
    replace: '  topics: list(hash),\n',
    by: 'sim',
  },
  {
    name: 'compares blocks without their state',
    file: 'wire/objects.ts',
    find: '    stateRoot: hash,\n',
    replace: '',
    by: 'sim',
  },
  {
    name: 'does not hash transactions',
    file: 'wire/transaction.ts',
    find: 'if (proven !== null && proven !== hash.read(objectOf(value).hash, reading)) throw malformed',
    replace: 'void proven',
    by: 'sim',
  },
  {
    name: 'tells hex by its case',
    file: 'wire/forms.ts',
    find: 'return value.toLowerCase()\n}\n\nexport function raise',
    replace: 'return value\n}\n\nexport function raise',
    by: 'sim',
  },
  {
    name: 'tells quantities by their leading zeros',
    file: 'wire/forms.ts',
    find: `.replace(/^0+(?=.)/, '')`,
    replace: '',
    by: 'sim',
  },
]

const memory: readonly Mutant[] = [
  {
    name: 'keys the cache without the chain',
    file: 'recall.ts',
    find: '${chain.config.id}|${rule.method}|',
    replace: '${rule.method}|',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'keys the cache without the method',
    file: 'recall.ts',
    find: '${chain.config.id}|${rule.method}|',
    replace: '${chain.config.id}|',
    by: 'sim',
  },
  {
    name: 'keys the cache without the block',
    file: 'recall.ts',
    find: "|${anchor?.hash ?? ''}",
    replace: '|',
    by: 'sim',
  },
  {
    name: 'ignores how strong a kept answer is',
    file: 'recall.ts',
    find: 'agreed >= electorate.needed && operators >= electorate.operatorsMin',
    replace: 'agreed + operators > 0',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'keeps nulls',
    file: 'recall.ts',
    find: "|| !('raw' in said) || said.raw === 'null') return\n  // The nodes",
    replace: "|| !('raw' in said)) return\n  // The nodes",
    by: 'sim',
  },
  {
    name: 'keeps receipts before their block is final',
    file: 'recall.ts',
    find: '? isFinal(chain, inclusionOf(said.raw), operators)',
    replace: '? inclusionOf(said.raw) >= 0',
    by: 'sim',
  },
  {
    name: 'asks on when the last sharer has left',
    file: 'memory/sharing.ts',
    find: 'flight.controller.abort(gone)',
    replace: '',
    by: 'sim',
  },
  {
    name: 'gives up for all when one sharer leaves',
    file: 'memory/sharing.ts',
    find: 'if (flight.sharers === 0) {',
    replace: 'if (flight.sharers >= 0) {',
    by: 'rpc-proxy/memory/sharing.test.ts',
  },
]

const heads: readonly Mutant[] = [
  {
    name: 'drops the pin',
    file: 'heads/pin.ts',
    find: 'params: withBlock(rule, params, (ref) => (keyOf(ref) === key ? block.number : numbers.get(keyOf(ref)))),',
    replace: 'params,',
    by: 'sim',
    isShown: true,
  },
  {
    name: 'admits a head that one node shows',
    file: 'heads/views.ts',
    find: 'if (isQuorum(voters) && (best === null',
    replace: 'if (voters.length > 0 && (best === null',
    by: 'rpc-proxy/heads/views.test.ts',
  },
  {
    name: 'confirms a head by what the silent ones showed once',
    file: 'heads/heads.ts',
    find: '!isQuorum(support.voters.filter((voter) => heard.has(voter)))',
    replace: 'false',
    by: 'scenarios/heads.test.ts',
  },
  {
    name: 'walks back past the deadline of the look',
    file: 'heads/way-back.ts',
    find: ' || clock.now() >= own.endMs',
    replace: '',
    by: 'scenarios/way-back.test.ts',
  },
  {
    name: 'waits at every step back for whoever has stalled',
    file: 'heads/way-back.ts',
    find: ' && !own.silent.has(voter)',
    replace: '',
    by: 'scenarios/way-back.test.ts',
  },
  {
    name: 'never again asks whoever has stalled on the way back',
    file: 'heads/way-back.ts',
    find: 'own.silent.delete(voter)',
    replace: '',
    by: 'scenarios/way-back.test.ts',
  },
  {
    name: 'does not walk back with those who stalled and have spoken since',
    file: 'heads/look.ts',
    find: 'if (!isAgreed(sinceMs)) await walkBack(own, round, wayBack)',
    replace: '',
    by: 'scenarios/way-back.test.ts',
  },
  {
    name: 'counts the highest number that anybody shows',
    file: 'heads/views.ts',
    find: 'if (isQuorum(reached)) return number',
    replace: 'if (isQuorum(reached) || reached.length > 0) return number',
    by: 'rpc-proxy/heads/views.test.ts',
  },
  {
    name: 'lets the head go back',
    file: 'heads/heads.ts',
    find: 'next.block.number < known.block.number &&',
    replace: 'next.block.number < 0 &&',
    by: 'sim',
  },
  {
    name: 'asks no majority for finality',
    file: 'heads/heads.ts',
    find: "ports.isQuorum(voters, tag !== 'latest')\n    const to",
    replace: 'ports.isQuorum(voters, false)\n    const to',
    by: 'sim',
  },
  {
    name: 'returns what was read before a reorg',
    file: 'read.ts',
    find: "if (first.outcome.verdict.kind === 'agreed' && block?.hash != null) {",
    replace: "if (first.outcome.verdict.kind === 'agreed' && block?.hash === '') {",
    by: 'scenarios/pinning.test.ts',
  },
  {
    name: 'lets a node of another genesis vote',
    file: 'heads/genesis.ts',
    find: 'if (hash === common || foreign.has(voter)) continue',
    replace: 'continue',
    by: 'scenarios/nodes.test.ts',
  },
  {
    name: 'takes null for an agreed block',
    file: 'chain.ts',
    find: 'return isThere ? reply.then(orBehind) : reply',
    replace: 'return isThere && orBehind === undefined ? reply.then(orBehind) : reply',
    by: 'scenarios/pinning.test.ts',
  },
  {
    name: 'gives one caller the range of another',
    file: 'recall.ts',
    find: 'const question = pinned.at === null ? key :',
    replace: 'const question = pinned.at !== undefined ? key :',
    by: 'scenarios/pinning.test.ts',
  },
  {
    name: 'hears what a look has given up',
    file: 'chain.ts',
    find: 'if (signal.aborted) return null',
    replace: 'if (signal.aborted && signal.reason === 1) return null',
    by: 'scenarios/nodes.test.ts',
  },
  {
    name: 'tries no lower block when all are behind',
    file: 'read.ts',
    find: 'const lower = block === null || at === null ?',
    replace: 'const lower = block !== null || at === null ?',
    by: 'scenarios/pinning.test.ts',
  },
  {
    name: 'waits for any number above the head',
    file: 'heads/pin.ts',
    find: 'number > height + aheadMax || ',
    replace: '',
    by: 'scenarios/pinning.test.ts',
  },
]

const doors: readonly Mutant[] = [
  {
    name: 'counts nobody who leaves',
    file: 'admission/admission.ts',
    find: 'if (isIn) inFlight -= 1',
    replace: '',
    by: 'sim',
  },
  {
    name: 'sheds nobody',
    file: 'admission/admission.ts',
    find: 'if (inFlight >= policy.inFlightMax)',
    replace: 'if (inFlight >= 1e9)',
    by: 'rpc-proxy/admission/admission.test.ts',
  },
  {
    name: 'believes any hash that a broadcast brings',
    file: 'writes/ask.ts',
    find: '=== `"${hash}"` ? reply',
    replace: '!== "" ? reply',
    by: 'rpc-proxy/writes/writes.test.ts',
  },
  {
    name: 'lets one node refuse a transaction',
    file: 'writes/broadcast.ts',
    find: 'weight >= needs.weight && operators.length >= needs.operators',
    replace: 'weight + operators.length > 0',
    by: 'sim',
  },
  {
    name: 'believes whatever chain a transaction is signed for',
    file: 'writes/writes.ts',
    find: 'if (transaction.chainId !== chain.chainId)',
    replace: 'if (transaction.chainId < 0)',
    by: 'sim',
  },
]

export const mutants: readonly Mutant[] = [
  ...electorate,
  ...tally,
  ...verdict,
  ...ask,
  ...upstreams,
  ...wire,
  ...memory,
  ...heads,
  ...doors,
]
