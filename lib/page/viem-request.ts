import { createTransport, type EIP1193RequestFn, HttpRequestError, RpcRequestError } from 'viem'
import { isRecord } from '../parse-json.ts'
import type { PostReads, ReadCall } from './reading.ts'

/** What viem expects of a transport: its errors, and three more tries. For `import()`. */
export function viemRequest(url: string, post: PostReads): EIP1193RequestFn {
  const request = async ({
    method,
    params = [],
  }: {
    readonly method: string
    readonly params?: ReadCall['params']
  }) => {
    const body = { method, params }
    const [{ reply, response } = { reply: undefined, response: null }] = await post([body])
    if (isRecord(reply) && isRecord(reply.error))
      throw new RpcRequestError({ body, error: reply.error as { code: number; message: string }, url })
    if (isRecord(reply) && 'result' in reply) return reply.result
    const { status, statusText, headers } = response ?? {}
    throw new HttpRequestError({
      body,
      url,
      ...(status !== undefined && { status }),
      ...(statusText && { details: statusText }),
      ...(headers && { headers }),
    })
  }
  return createTransport({ key: 'quorate', name: 'Quorate', type: 'quorate', request: request as never })
    .request
}
