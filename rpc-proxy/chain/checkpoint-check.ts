import { readHeader } from '../heads/read-header.ts'
import { hexOf } from '../methods/block-ref.ts'
import { type Checkpoints, isAgainst } from '../methods/checkpoints.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import type { Reply } from '../wire/types.ts'
import { headerCall } from './genesis-check.ts'

/** Asks a node for the blocks at checkpoints: whether it shows another one there. Null where there is no checkpoint. */
export type CheckpointCheck = (request: (call: NodeCall) => Promise<Reply>) => Promise<boolean> | null

/** A node that shows no such block may keep recent ones only, which is not held against it. */
export function createCheckpointCheck(chainId: number, checkpoints: Checkpoints): CheckpointCheck {
  return (request) => {
    const known = checkpoints()
    return known.length === 0 ? null : someOf(known.map(({ number }) => isElsewhere(number)))

    async function isElsewhere(number: number): Promise<boolean> {
      const reply = await request({ ...headerCall, params: `["${hexOf(number)}",false]` })
      const header = reply.kind === 'result' ? readHeader(reply.raw, chainId) : null
      return header !== null && isAgainst(checkpoints, header)
    }
  }
}

const someOf = async (all: readonly Promise<boolean>[]) => (await Promise.all(all)).includes(true)
