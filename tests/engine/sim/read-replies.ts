import type { GatewayResponse } from '#rpc-proxy'
import type { ClientRequest, Entry } from './calls.ts'
import type { Reply, Report } from './judged-call.ts'

/**
 * Matches replies to their entries: exactly one each, in order, with the ids as sent (S4). Null if there are no replies,
 * which is reported when some were expected.
 */
export function readReplies(
  clientRequest: ClientRequest,
  response: GatewayResponse,
  report: Report,
): readonly (readonly [Entry, Reply])[] | null {
  const wanted = clientRequest.entries.filter(({ id }) => id !== null)
  const { status, body } = response
  if (wanted.length === 0) {
    if (status !== 204 || body !== '') report('S4', `notifications were answered: ${status} ${body}`)
    return null
  }
  const say = (why: string) =>
    report('S4', `${why}: ${clientRequest.body} -> ${status} ${body.slice(0, 300)}`)
  const parsed = parse(body)
  if (parsed === undefined) {
    say('not JSON')
    return null
  }
  if (Array.isArray(parsed) !== clientRequest.isBatch) {
    say('a batch for a single or the other way round')
    return null
  }
  const objects = (Array.isArray(parsed) ? parsed : [parsed]) as readonly Record<string, unknown>[]
  if (objects.length !== wanted.length) {
    say(`${objects.length} replies to ${wanted.length} calls`)
    return null
  }
  let at = 0
  return wanted.map((entry, position) => {
    const object = objects[position] as Record<string, unknown>
    // Compares the text of the id. Parsing would lose it: 1.0 is not 1, and a big integer is not a double.
    const begin = body.indexOf('"jsonrpc":"2.0","id":', at)
    at = begin + 21
    if (begin < 0 || !body.startsWith(`${entry.id},`, at))
      say(`id ${body.slice(at, at + 20)} for ${entry.id}`)
    if (object.jsonrpc !== '2.0') say('no JSON-RPC 2.0')
    if ('result' in object === 'error' in object) say('not exactly one of result and error')
    return [entry, replyOf(object, clientRequest, response)] as const
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}

interface Explained {
  readonly answer: string | null
  readonly agreed: number
  readonly needed: number
  readonly total: number
  readonly block: number | null
  readonly cache: string | null
  readonly policy: string | null
  readonly thin: boolean
}

const unexplained = {
  policy: null,
  thin: false,
  answer: null,
  agreed: null,
  needed: null,
  total: null,
  block: null,
  cache: null,
}

function replyOf(
  object: Record<string, unknown>,
  clientRequest: ClientRequest,
  { headers }: GatewayResponse,
): Reply {
  const { result, error, quorate } = object as {
    result?: unknown
    error?: NonNullable<Reply['error']>
    quorate?: Explained
  }
  const outcome = {
    ...('result' in object ? { result } : {}),
    ...(error === undefined ? {} : { error }),
  }
  if (clientRequest.explained) {
    const { thin, ...explained } = quorate ?? unexplained
    return { ...outcome, ...explained, isThin: thin }
  }
  const [weights, policy] = headers['x-quorate-agreement']?.split('; policy=') ?? []
  const [agreed = null, needed = null, total = null] = weights?.split('/').map(Number) ?? []
  const block = headers['x-quorate-block']
  return {
    ...outcome,
    agreed,
    needed,
    total,
    answer: headers['x-quorate-answer'] ?? null,
    block: block === undefined ? null : Number(block),
    cache: headers['x-quorate-cache'] ?? null,
    policy: weights === undefined ? null : (policy ?? 'everyday'),
    isThin: headers['x-quorate-thin'] === '1',
  }
}
