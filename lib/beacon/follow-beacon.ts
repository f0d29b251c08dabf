import type { BlockId, SignedFinality } from '#rpc-proxy'
import { BeaconApiError, type GetBeacon, noDataText } from './beacon-apis.ts'
import {
  begin,
  finalizedIn,
  follow,
  followWithCommittee,
  type LightClient,
  LightClientError,
  periodOf,
} from './light-client.ts'
import { bootstrapReply, finalityReply, updatesReply } from './light-client-types.ts'
import { noReachedRoot, type ReachedRoot } from './reached-file.ts'

export interface BeaconSettings {
  readonly urls: readonly string[]
  /** The root of a beacon block that is trusted, `0x` and 64 digits. */
  readonly checkpoint: string
  /** Where to keep what was reached; null for nowhere. */
  readonly file: string | null
}

interface BeaconPorts {
  readonly get: GetBeacon
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly reached?: ReachedRoot
}

const genesisMs = 1_606_824_023_000
const slotMs = 12_000
/** Updates in one reply: a month. */
const updatesMax = 27

/** Validators of that time may have left since, and sold their keys. */
const checkpointAgeMsMax = 14 * 86_400_000

const timeOf = (slot: number) => genesisMs + slot * slotMs

const noneKeeps = 'no beacon API keeps this checkpoint: configure a newer one'
const oldCheckpoint = 'the checkpoint is more than two weeks old: configure a newer one'

const twoBlocks =
  'the committee has signed two blocks of one number as final; what it signs is not used any more'

/** Follows what the sync committee signs as final. `look` asks each beacon API once. */
export function createBeaconFollower(
  { urls, checkpoint }: Omit<BeaconSettings, 'file'>,
  { get, now, reached = noReachedRoot }: BeaconPorts,
): { readonly look: () => Promise<SignedFinality> } {
  let client: LightClient | null = null
  let begunMs = Number.POSITIVE_INFINITY
  /** What it began at was too old already, however far it has come since. */
  let isBegunLate = false
  let writtenRoot: string | null = null
  let isTwoFaced = false
  const nowSlot = () => Math.floor((now() - genesisMs) / slotMs)
  const isOld = () => now() - begunMs > checkpointAgeMsMax

  /** What each API says that does not follow is its fault; the others are asked all the same. */
  async function fromEach<Value>(
    read: (url: string) => Promise<Value>,
  ): Promise<{ readonly values: readonly Value[]; readonly faults: readonly string[] }> {
    const replies = await Promise.allSettled(urls.map(read))
    const values = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []))
    const faults = replies.flatMap((reply, index) =>
      reply.status === 'rejected' ? [`beacon API ${index + 1}: ${wordsOf(reply.reason)}`] : [],
    )
    return { values, faults }
  }

  async function beginAt(root: string): Promise<readonly string[]> {
    const { values, faults } = await fromEach(async (url) => {
      const path = `/eth/v1/beacon/light_client/bootstrap/${root}`
      return begin((await get(url, path, bootstrapReply)).data, root)
    })
    client = values[0] ?? null
    if (client !== null) begunMs = timeOf(client.finalized.slot)
    isBegunLate = isOld()
    return client === null && faults.every((fault) => fault.endsWith(noDataText)) ? [noneKeeps] : faults
  }

  /** Where it was before a restart, or else at the checkpoint. */
  async function beginOnce(): Promise<readonly string[]> {
    const root = reached.read()
    const faults = root === null ? [] : await beginAt(root)
    return client === null ? beginAt(checkpoint) : faults
  }

  /** Saves a new block, and retries after a failed write. A restart begins at the saved block. */
  function keepReached({ root, slot }: LightClient['finalized']): readonly string[] {
    const fault = root === writtenRoot ? null : reached.write(root)
    if (fault !== null) return [fault]
    writtenRoot = root
    if (reached !== noReachedRoot) begunMs = timeOf(slot)
    return []
  }

  /** Goes through the committees up to that of now, and learns the next one. */
  async function catchUp(
    from: LightClient,
  ): Promise<{ readonly client: LightClient; readonly faults: readonly string[] }> {
    if (from.next !== null && from.period >= periodOf(nowSlot())) return { client: from, faults: [] }
    const path = `/eth/v1/beacon/light_client/updates?start_period=${from.period}&count=${updatesMax}`
    const { values, faults } = await fromEach(async (url) => {
      let reached = from
      for (const { data } of await get(url, path, updatesReply))
        reached = followWithCommittee(reached, data, nowSlot())
      return reached
    })
    const furthest = values.reduce((best, each) => (isFurther(each, best) ? each : best), from)
    return { client: furthest, faults }
  }

  async function newest(from: LightClient): Promise<SignedFinality> {
    const { values, faults } = await fromEach(async (url) => {
      const { data } = await get(url, '/eth/v1/beacon/light_client/finality_update', finalityReply)
      return { block: finalizedIn(data.finalized_header).block, client: follow(from, data, nowSlot()) }
    })
    const signed = [from.finalized.block, ...values.map(({ block }) => block)]
    isTwoFaced ||= signed.some((block) => signed.some((other) => isOther(block, other)))
    if (isTwoFaced) return { block: null, timeMs: null, faults: [twoBlocks, ...faults] }
    client = values.reduce((best, each) => (isFurther(each.client, best) ? each.client : best), from)
    const { block, slot } = client.finalized
    const timeMs = timeOf(slot)
    return { block, timeMs, faults: [...faults, ...keepReached(client.finalized)] }
  }

  return {
    async look() {
      if (isTwoFaced) return { block: null, timeMs: null, faults: [twoBlocks] }
      const begun = client === null ? await beginOnce() : []
      if (client === null) return { block: null, timeMs: null, faults: begun }
      const caught = await catchUp(client)
      client = caught.client
      const { faults, ...signed } = await newest(caught.client)
      const old = isBegunLate || isOld() ? [oldCheckpoint] : []
      return { ...signed, faults: [...new Set([...old, ...begun, ...caught.faults, ...faults])] }
    },
  }
}

const isOther = (one: BlockId, other: BlockId) => one.number === other.number && one.hash !== other.hash

function isFurther(one: LightClient, other: LightClient): boolean {
  if (one.finalized.slot !== other.finalized.slot) return one.finalized.slot > other.finalized.slot
  return one.next !== null && other.next === null
}

function wordsOf(cause: unknown): string {
  if (cause instanceof BeaconApiError || cause instanceof LightClientError) return cause.message
  throw cause
}
