import { isUtf8 } from 'node:buffer'
import type { Dispatcher } from 'undici'
import { SendFault, type SendRequest, type SendResponse } from '#rpc-proxy'
import type { WaitingQuota } from '../limits/waiting-quota.ts'
import { gatherBody, type ReplyBody } from './reply-body.ts'
import { toSendFault } from './send-fault.ts'
import { unpackerFor } from './unpack.ts'

interface Outcome {
  readonly resolve: (response: SendResponse) => void
  readonly reject: (fault: SendFault) => void
  /** Called when it failed before a response; true when it was sent again. */
  readonly recover?: (cause: Error) => boolean
}

/** Collects one response up to the cap. Settles exactly once and removes its listener from the signal. */
export function collectReply(
  { bytesMax, signal, onWait = () => {} }: SendRequest,
  replies: WaitingQuota,
  { resolve, reject, recover }: Outcome,
): Dispatcher.DispatchHandler {
  let status = 0
  let retryAfter: string | null = null
  let running: Dispatcher.DispatchController | undefined
  let body: ReplyBody | null = null
  let isSettled = false

  function settle(): void {
    isSettled = true
    signal.removeEventListener('abort', cancel)
    body?.close()
  }
  function settleWith(fault: SendFault): void {
    if (isSettled) return
    settle()
    reject(fault)
    running?.abort(stop)
  }
  function fail(kind: SendFault['kind'], cause?: unknown): void {
    settleWith(new SendFault(kind, { cause }))
  }
  function cancel(): void {
    fail('cancelled')
  }
  function finish(whole: Buffer): void {
    if (isSettled) return
    settle()
    // A string saves the engine a decoder. Invalid UTF-8 is passed on as bytes, and the engine rejects it.
    resolve({ status, retryAfter, body: isUtf8(whole) ? whole.toString() : whole })
  }
  signal.addEventListener('abort', cancel)

  return {
    onRequestStart(controller) {
      running = controller
      if (isSettled) controller.abort(stop)
    },
    onResponseStart(controller, statusCode, headers) {
      if (statusCode < 200) return
      status = statusCode
      if (statusCode >= 300 && statusCode < 400) return fail('redirect')
      retryAfter = first(headers['retry-after'])
      const unpackerOf = unpackerFor(first(headers['content-encoding']))
      if (unpackerOf === null && Number(headers['content-length'] ?? 0) > bytesMax) return fail('too-large')
      body = gatherBody(unpackerOf, {
        replies,
        bytesMax,
        finish,
        fail,
        onWait,
        ready: () => controller.resume(),
      })
    },
    onResponseData(controller, chunk) {
      if (isSettled) return
      if (body?.write(chunk) === false) controller.pause()
    },
    onResponseEnd() {
      if (!isSettled) body?.end()
    },
    onResponseError(_controller, error) {
      if (!isSettled && status === 0 && recover?.(error)) settle()
      else settleWith(toSendFault(error))
    },
  }
}

// One error for all aborts: creating a stack trace each time costs more than the request.
const stop = new Error('no longer wanted')

function first(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
