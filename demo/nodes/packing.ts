import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer } from './demo-call.ts'

/**
 * How a node compresses its answers for a client that accepts it. geth, bor and nitro gzip every answer; nethermind and the
 * gateways prefer brotli; others do not compress. All of them send chunked bodies.
 */
export const packings = ['gzip', 'br', 'plain'] as const
export type BodyPacking = (typeof packings)[number]

type Packer = (body: Buffer | string) => Promise<Buffer>

const packers: Readonly<Record<BodyPacking, Packer | null>> = {
  gzip: (body) => promisify(gzip)(body, { level: 1 }),
  // The default quality needs a second for a full block.
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  plain: null,
}

/** The answer for a client with this `accept-encoding`. An answer with its own encoding or length stays unchanged. */
export async function packed(
  answer: Answer,
  { packing, accepts }: { packing: BodyPacking; accepts: string },
): Promise<Answer> {
  const pack = packers[packing]
  const { headers, body } = answer
  if (pack === null || body.length === 0 || headers?.['content-encoding'] || headers?.['content-length'])
    return answer
  if (!accepts.split(',').some((coding) => coding.trim().split(';')[0] === packing)) return answer
  return { ...answer, headers: { ...headers, 'content-encoding': packing }, body: await pack(body) }
}
