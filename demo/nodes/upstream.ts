import { Pool } from 'undici'
import type { DemoCall, DemoReply, Say } from './demo-call.ts'
import { withNextFee } from './next-fee.ts'

/** The chain behind the nodes. */
export type Upstream = {
  /** Forwards bytes unchanged and returns the bytes of the answer. */
  forward(body: Buffer | string): Promise<{ status: number; body: Buffer }>
  /** Sends one call. */
  readonly callNode: Say
  /** The real head of the chain. */
  head(): Promise<number>
  close(): Promise<void>
}

const headers = { 'content-type': 'application/json' }

/** Keeps connections to one anvil open for all nodes in front of it. */
export function connectUpstream(url: string): Upstream {
  const pool = new Pool(url, { connections: 64, pipelining: 1 })
  // `dispatch` passes bytes on as they arrive. A stream per small answer would cost more than the answer.
  const forward = (body: Buffer | string) =>
    new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
      const chunks: Buffer[] = []
      let status = 0
      pool.dispatch(
        { path: '/', method: 'POST', headers, body },
        {
          onRequestStart() {},
          onResponseStart: (_, statusCode) => {
            status = statusCode
          },
          onResponseData: (_, chunk) => void chunks.push(chunk),
          onResponseEnd: () => resolve({ status, body: joined(chunks) }),
          onResponseError: (_, cause) => reject(cause),
        },
      )
    })
  const sendUpstream = async ({ method, params }: DemoCall): Promise<DemoReply> => {
    const { body } = await forward(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const { result, error } = JSON.parse(body.toString('utf8')) as {
      result?: unknown
      error?: { code: number; message: string }
    }
    return error === undefined ? { result } : { error }
  }
  const callNode: Say = async (call) => withNextFee(call, await sendUpstream(call), sendUpstream)
  return {
    forward,
    callNode,
    async head() {
      const reply = await callNode({ method: 'eth_blockNumber', params: [] })
      if ('error' in reply) throw new Error(`reading the head of the chain failed: ${reply.error.message}`)
      return Number(reply.result)
    },
    close: () => pool.destroy(),
  }
}

/** Joins buffers, without a copy for a single one. */
export function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}
