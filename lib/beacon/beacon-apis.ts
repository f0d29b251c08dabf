import type { Dispatcher } from 'undici'
import { fetch } from 'undici'
import type { z } from 'zod'
import { BodyLimit } from '../limits/body-limit.ts'
import { bufferOf } from '../limits/buffer-of.ts'
import { GatheredBytes } from '../limits/gathered-bytes.ts'
import { parseJson } from '../parse-json.ts'

/** Reads a path of a beacon API. Throws BeaconApiError. */
export type GetBeacon = <Shape extends z.ZodType>(
  url: string,
  path: string,
  shape: Shape,
) => Promise<z.output<Shape>>

/** What an API says of a block that it does not have, or not any more. */
export const noDataText = 'it does not keep what was asked'

/** For people, without the url, which may hold a key. */
export class BeaconApiError extends Error {
  override readonly name = 'BeaconApiError'
}

const replyMsMax = 10_000
/** An update has a committee of 512 keys: 60 kB. */
const replyBytesMax = 8 * 1024 * 1024

export function createGetBeacon(dispatcher: Dispatcher): GetBeacon {
  return async (url, path, shape) => {
    const parsed = shape.safeParse(await read(`${url.replace(/\/$/, '')}${path}`, dispatcher))
    if (!parsed.success) throw new BeaconApiError('its reply is not what the light-client API describes')
    return parsed.data
  }
}

async function read(url: string, dispatcher: Dispatcher): Promise<unknown> {
  const signal = AbortSignal.timeout(replyMsMax)
  const response = await fetch(url, {
    ...{ dispatcher, signal, redirect: 'error' },
    headers: { accept: 'application/json' },
  }).catch(() => {
    throw new BeaconApiError(signal.aborted ? 'it does not reply in time' : 'it cannot be reached')
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new BeaconApiError(
      response.status === 404 ? noDataText : `it replies with status ${response.status}`,
    )
  }
  const value = parseJson(await textOf(response.body))
  if (value === undefined) throw new BeaconApiError('its reply is no JSON')
  return value
}

async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const gathered = new GatheredBytes()
  const limit = new BodyLimit(replyBytesMax)
  try {
    for await (const chunk of body ?? []) {
      if (!limit.takes(chunk)) throw new BeaconApiError('its reply is too large')
      gathered.add(chunk)
    }
  } catch (cause) {
    throw cause instanceof BeaconApiError ? cause : new BeaconApiError('its reply breaks off')
  }
  return bufferOf(gathered.whole()).toString()
}
