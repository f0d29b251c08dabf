import { judgeOrigin } from '#lib/config/origin.ts'
import { callerOf } from '#lib/limits/caller-address.ts'
import { parseConfig } from '#rpc-proxy'
import { callerKey } from '../../../rpc-proxy/admission/caller.ts'
import { methodSpec, methods } from '../../../rpc-proxy/methods/table.ts'
import { classify } from '../../../rpc-proxy/upstreams/classify.ts'
import { restIn, retryAfterMs } from '../../../rpc-proxy/upstreams/errors/rates.ts'
import { batchMaxAfter, replyToNone } from '../../../rpc-proxy/upstreams/post-calls.ts'
import { decode, readResponse } from '../../../rpc-proxy/wire/json-rpc.ts'
import { corpusCalls } from '../corpus/errors.ts'

/** A backtracking pattern takes seconds for these texts, or never ends. */
const length = 100_000
const long = (part: string, end = '') => part.repeat(Math.ceil(length / part.length)).slice(0, length) + end
export const strings: readonly string[] = [
  ...[long('0'), long('0x'), long('a'), long(' ', 'x'), long('\t', '!'), long('aA1_', '!'), long('é')],
  ...[long('0x', 'g'), `0x${long('0')}`, `0x${long('0')}g`, long('1', 'e'), long('-'), long('.'), long(',')],
  ...[long('a.'), long('a@'), long(':'), long('::1,'), long('%00'), long('\\'), long('"'), long('\\u0000')],
  ...[
    long('reverted '),
    long('block range '),
    long('Reverted 0x'),
    ...['exceeds the ', 'exceeds max ', 'block ', 'max fee per gas ', 'less base fee ', 'method '].map(
      (part) => long(part),
    ),
    ...['state ', 'gas price ', 'opcode ', 'too ', 'retry in ', 'priority fee ', 'range ', '1,'].map((part) =>
      long(part),
    ),
    ...['[0x1,', '0 - ', 'returned result ', '(', '[{', '{"', '\\"', '{"a":1,'].map((part) => long(part)),
    long('application/json;'),
  ],
  ...[long('${'), long('${A}'), long('/'), long('//1'), long('https://a.'), long('[['), long('{"a":')],
  ...[long('\u202e'), long('\ud800'), long('\r\n'), long('ab', '\u0000')],
]

const contexts = Object.values(corpusCalls).map(({ context }) => context)
/** Every function that parses untrusted text. Building the text is not measured. */
export const readers: Readonly<Record<string, (text: string) => () => unknown>> = {
  'a request’s body': (text) => () => decode(text, { batchCallsMax: 100 }),
  'a method’s name': (text) => decoding((method) => ({ jsonrpc: '2.0', id: 1, method }), text),
  'an id': (text) => decoding((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }), text),
  'the table of methods': (text) => () => methodSpec(text),
  'a node’s body': (text) => () => readResponse(text),
  'a node’s error': (text) => () =>
    contexts.map((context) => classify({ code: -32000, message: text, data: text }, context)),
  'words of a rest': (text) => () =>
    restIn({ code: 429, message: `retry in ${text}`, data: { resets_at: text } }, 0),
  'a retry-after header': (text) => () => retryAfterMs(text, 0),
  'a gateway’s body': (text) => () => {
    const said = { kind: 'status', status: 500, retryMs: null, text } as const
    return [...contexts.map((context) => replyToNone(context, said, 0)), batchMaxAfter(said, 2)]
  },
  'a forwarded-for header': (text) => () => callerOf(text, null, 1),
  'a caller’s address': (text) => () => callerKey(text),
  'an origin': (text) => () => judgeOrigin(() => text, { site: 'https://app.example', extensions: true }),
  'a configuration': (text) => {
    const node = { name: text, url: text, headers: { a: text } }
    return () => parseConfig({ chains: [{ id: 1, name: text, nodes: [node] }] }, {})
  },
  ...Object.fromEntries(
    methods.flatMap((method) => [
      [`words for params of ${method}`, (text: string) => () => methodSpec(method).parse([text, text, text])],
      [
        `objects for params of ${method}`,
        (text: string) => () =>
          methodSpec(method).parse([
            { to: text, data: text, address: text, topics: [text], [text]: text },
            text,
            { [text]: text },
          ]),
      ],
    ]),
  ),
}

/** A body of this length, escapes included, with the text in it. */
function decoding(bodyOf: (text: string) => unknown, text: string): () => unknown {
  const fits = Math.floor((length * length) / JSON.stringify(text).length)
  const body = JSON.stringify(bodyOf(text.slice(0, fits)))
  return () => decode(body, { batchCallsMax: 100 })
}

/** The fastest run of a reader for a text, in ms. Stops early at a run that is fast enough. */
export function fastestMs(
  read: () => unknown,
  { tries, enoughMs }: { tries: number; enoughMs: number },
): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0 && fastest > enoughMs; left--) {
    const startMs = performance.now()
    quietly(read)
    fastest = Math.min(fastest, performance.now() - startMs)
  }
  return fastest
}

function quietly(read: () => unknown): void {
  try {
    read()
  } catch {
    // A refusal is expected. Only the time matters.
  }
}
