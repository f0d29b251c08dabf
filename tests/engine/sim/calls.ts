import type { Chance } from '../../support/chance.ts'
import { type MalformedRequest, malformed } from './malformed-request.ts'
import { type ParsedCall, parseCall } from './parsed-call.ts'
import { type Agreement, accounts, fixed, forChain, type Question, questionOf, wishes } from './questions.ts'
import { batchCallsMax } from './settings.ts'
import { startMs, type Theme, tipAt, type WorldChain } from './world.ts'

/** One entry of a request. */
export interface Entry {
  /** The JSON text of the id that the response must have; null for a notification. */
  readonly id: string | null
  readonly text: string
  readonly method: string
  readonly agreement: Agreement
  readonly call: ParsedCall | null
  /** The expected error code, if it is known in advance. */
  readonly code: number | null
}

export interface ClientRequest {
  /** Since the start of the world. */
  readonly atMs: number
  readonly chain: WorldChain
  readonly entries: readonly Entry[]
  readonly isBatch: boolean
  readonly body: string
  /** The caller disconnects after this many milliseconds; null if it stays. */
  readonly leavesMs: number | null
  readonly explained: boolean
  /** It says that all its calls are to be protected. */
  readonly isProtected: boolean
  /** By the policy `bridge`. */
  readonly isBridge: boolean
  /** The defect of the request as a whole. */
  readonly malformed: MalformedRequest | null
}

/** All requests of callers in a world. A pause is halfway, with similar calls before and after it. */
export function createClientRequests(
  chance: Chance,
  chains: readonly WorldChain[],
  lengthMs: number,
  pauseMs: number,
): readonly ClientRequest[] {
  const clientRequests: ClientRequest[] = []
  const earlier: Question[] = []
  let nextId = 1
  let atMs = chance.int(50)

  function question(chain: WorldChain): Question {
    // Repeats earlier calls, on any chain, to exercise the cache and single flight.
    const again = earlier.length > 0 && chance.roll(0.35)
    const wish = pauseMs > 0 ? fixed : wishes[chain.theme]
    const callerControlled = again
      ? chance.pick(earlier)
      : wish !== undefined && chance.roll(0.6)
        ? wish(chance, chain, atMs)
        : questionOf(chance, chain, atMs)
    if (callerControlled.method !== 'eth_sendRawTransaction' || chance.roll(0.5))
      earlier.push(callerControlled)
    return callerControlled.agreement === 'broadcast' ? forChain(chance, chain) : callerControlled
  }

  function entry(chain: WorldChain): Entry {
    if (chance.roll(0.03)) return badEntry(chance)
    const { method, params, agreement } = question(chain)
    const id = idOf(chance, nextId++)
    const text = `{"jsonrpc":"2.0",${id === null ? '' : `"id":${id},`}"method":"${method}","params":${JSON.stringify(params)}}`
    return {
      id,
      text,
      method,
      agreement,
      call: parseCall(method, params),
      code: agreement === 'refused' ? -32601 : agreement === 'bad-params' ? -32602 : null,
    }
  }

  const isReset = chains.some(({ theme }) => theme === 'reset')
  const isFull = isReset || chains.some(({ theme }) => longThemes.has(theme))
  const isLong = pauseMs > 0 || isFull || chance.roll(0.05)
  const count = isReset ? chance.between(20, 30) : isLong ? chance.between(8, 14) : chance.between(1, 6)
  let pausesMs = pauseMs
  while (clientRequests.length < count && atMs < lengthMs) {
    if (clientRequests.length >= count / 2) {
      atMs += pausesMs
      pausesMs = 0
    }
    const chain = chance.pick(chains)
    const isBatch = chance.roll(0.15)
    const size = isBatch ? chance.between(1, 6) : 1
    const entries = Array.from({ length: size }, () => entry(chain))
    // A burst of identical requests.
    const copies = chance.roll(0.08) ? chance.between(2, 5) : 1
    // Transactions are signed for one chain.
    const isAnywhere = entries.every(({ method }) => method !== 'eth_sendRawTransaction')
    for (let copy = 0; copy < copies; copy++)
      clientRequests.push({
        atMs: atMs + (chance.roll(0.5) ? 0 : chance.int(30)),
        chain: copies > 1 && isAnywhere && chance.roll(0.3) ? chance.pick(chains) : chain,
        entries,
        isBatch,
        body: isBatch ? `[${entries.map(({ text }) => text).join(',')}]` : (entries[0] as Entry).text,
        leavesMs: chance.roll(0.1) ? chance.int(chance.pick([5, 60, 900])) : null,
        explained: isBatch || chance.roll(0.8),
        isProtected: false,
        isBridge: false,
        malformed: chance.roll(0.02) ? malformed(chance, chain.id, batchCallsMax) : null,
      })
    atMs += chance.pick([0, 0, 1, 20, 100, 400, 1000, 2500])
  }
  return [...clientRequests, ...chains.flatMap(polls)]
}

/** Themes with more calls than most. */
const longThemes: ReadonlySet<Theme> = new Set<Theme>(['liar first', 'heavy work', 'poisoned'])

/** A caller polls the head number, and sometimes reads at `latest` or at the next block instead. */
function polls(chain: WorldChain): readonly ClientRequest[] {
  return chain.pollsMs.map((atMs, index): ClientRequest => {
    const id = `"poll ${index}"`
    const isNext = chain.theme === 'slow' && index % 5 === 4
    const isRead = isNext || (chain.theme === 'pauses' && index % 3 === 2)
    const method = isRead ? 'eth_getBalance' : 'eth_blockNumber'
    const next = tipAt(chain, startMs + atMs).number + 1
    const params = isRead ? [accounts[0], isNext ? `0x${next.toString(16)}` : 'latest'] : []
    const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${JSON.stringify(params)}}`
    const agreement = isRead ? 'equality' : 'head'
    return {
      atMs,
      chain,
      entries: [{ id, text, method, agreement, call: parseCall(method, params), code: null }],
      isBatch: false,
      body: text,
      leavesMs: null,
      explained: true,
      isProtected: (chain.theme === 'standing' || chain.theme === 'slow') && index % 2 === 1,
      isBridge: false,
      malformed: null,
    }
  })
}

function idOf(chance: Chance, next: number): string | null {
  return chance.weighted<string | null>([
    [20, String(next)],
    [2, `"${next}"`],
    [1, 'null'],
    [1, `${next}.0`],
    [1, `9007199254740993${next}`],
    [1, `"a\\u0041\\"${next}"`],
    [1, null],
  ])
}

function badEntry(chance: Chance): Entry {
  const [text, id] = chance.pick([
    ['{"jsonrpc":"1.0","id":7,"method":"eth_chainId"}', '7'],
    ['{"id":8,"method":"eth_chainId"}', '8'],
    ['5', 'null'],
    ['{"jsonrpc":"2.0","id":9}', '9'],
    ['{"jsonrpc":"2.0","id":{"a":1},"method":"eth_chainId"}', 'null'],
  ] as const)
  return { id, text, method: 'none', agreement: 'refused', call: null, code: -32600 }
}
