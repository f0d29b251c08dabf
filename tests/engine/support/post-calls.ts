import { type SendResponse, systemClock } from '#rpc-proxy'
import { PostCalls } from '../../../rpc-proxy/upstreams/post-calls.ts'

type Options = ConstructorParameters<typeof PostCalls>[0]
type Ports = ConstructorParameters<typeof PostCalls>[1]

export interface SentCall {
  readonly id: number
  readonly method: string
}

/** What a node answers to the calls of one POST, where that is not a result under 200 for each of them. */
export type Serve = (
  calls: readonly SentCall[],
  post: Parameters<Ports['send']>[0] & { readonly isBatch: boolean },
) => Partial<SendResponse> | Promise<Partial<SendResponse>>

export const resultOf = ({ id }: Pick<SentCall, 'id'>, result = '"0x1"') =>
  `{"jsonrpc":"2.0","id":${id},"result":${result}}`

export const errorOf = (id: number | null, code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })

/** The calls of a node, and how many of them each POST had. */
export function nodeServing(serve: Serve, options: Partial<Options & Ports> = {}) {
  const sizes: number[] = []
  const { send } = new PostCalls(
    { url: 'http://node.example', headers: {}, batchCallsMax: 10, answerBytesMax: 1 << 20, ...options },
    {
      clock: systemClock(),
      ...options,
      async send(post) {
        const sent: SentCall | readonly SentCall[] = JSON.parse(post.body)
        const calls = [sent].flat()
        sizes.push(calls.length)
        const results = calls.map((call) => resultOf(call))
        const isBatch = Array.isArray(sent)
        const body = isBatch ? `[${results}]` : String(results)
        return { status: 200, retryAfter: null, body, ...(await serve(calls, { ...post, isBatch })) }
      },
    },
  )
  return { send, sizes }
}
