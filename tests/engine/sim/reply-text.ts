import { wordsOf } from '../../../demo/nodes/clients/error-texts.ts'
import { planted } from '../../support/garbage.ts'
import { makeOf } from './shapes.ts'
import { type NodeReply, textOf } from './truth.ts'
import type { WorldNode } from './world.ts'

/** The vote in a reply. */
export interface Vote {
  readonly meaning: string
  /** The JSON text of the result, if there is one. */
  readonly raw: string | null
  readonly isDoubtful?: boolean | undefined
}

/** The reply to one call of a POST. */
export interface Part {
  readonly text: string
  readonly vote: Vote | null
  readonly isBehind: boolean
}

/** The JSON of a reply, in the words of the node. */
export function writeReply(id: string, reply: NodeReply, { dialect, index }: WorldNode): Part {
  const make = makeOf(dialect)
  switch (reply.kind) {
    case 'result': {
      const raw = textOf(reply, dialect)
      const text =
        dialect === 'vendor'
          ? `{ "result": ${raw}, "id": ${id}, "jsonrpc": "2.0", "vendor": {"result": 1} }`
          : `{"jsonrpc":"2.0","id":${id},"result":${raw}}`
      return {
        text,
        vote: reply.isEvident ? null : { meaning: reply.meaning, raw, isDoubtful: reply.isDoubtful },
        isBehind: false,
      }
    }
    case 'reverted': {
      if (make !== null) {
        const error = wordsOf(make, { kind: 'reverted', reason: null, data: reply.data })
        return { ...failing(id, error), vote: { meaning: reply.meaning, raw: null } }
      }
      const style = index % 3
      const error =
        style === 0
          ? { code: 3, message: 'execution reverted', data: reply.data }
          : style === 1
            ? { code: -32015, message: 'VM execution error.', data: `Reverted ${reply.data}` }
            : { code: -32000, message: 'execution reverted: odd', data: reply.data }
      return { ...failing(id, error), vote: { meaning: reply.meaning, raw: null } }
    }
    case 'rejected': {
      const message = rejections[reply.meaning]?.[index % 2]
      return { ...failing(id, { code: -32000, message }), vote: { meaning: reply.meaning, raw: null } }
    }
    default: {
      if (make !== null) {
        const failure = { kind: 'beyond-head', block: 1, head: 0, method: 'eth_call' } as const
        return { ...failing(id, wordsOf(make, failure)), isBehind: true }
      }
      const message = ['header not found', 'unknown block', 'block not found'][index % 3]
      return { ...failing(id, { code: -32000, message }), isBehind: true }
    }
  }
}

/** Error messages of nodes, by error class. */
const rejections: Readonly<Record<string, readonly string[]>> = {
  'refusal insufficient-funds': [
    'insufficient funds for gas * price + value',
    'insufficient balance for transfer',
  ],
  'refusal vm-halt': ['out of gas', 'err: out of gas (supplied gas 1)'],
}

function failing(id: string, error: unknown): Part {
  return {
    text: `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`,
    vote: null,
    isBehind: false,
  }
}

export function wrong(id: string, code: number, message: string): Part {
  return failing(id, { code, message })
}

export function unable(id: string, style: number): Part {
  const [code, message] = (
    [
      [-32000, `missing trie node ${planted}`],
      [-32601, 'the method is not available on this plan'],
      [-32602, 'invalid params'],
      [-32000, `unauthorized: bad api key ${planted}`],
    ] as const
  )[style % 4] as readonly [number, string]
  return wrong(id, code, message)
}

export function accepted(id: string, hash: string, meaning: string): Part {
  return {
    text: `{"jsonrpc":"2.0","id":${id},"result":"${hash}"}`,
    vote: { meaning, raw: `"${hash}"` },
    isBehind: false,
  }
}
