import type { Resource } from '../methods/method-spec.ts'
import { methodsByResource } from '../methods/table.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import { parseJson } from '../wire/scan.ts'
import type { Reply } from '../wire/types.ts'
import { internalCall } from './errors/error-pattern.ts'
import type { Health } from './health.ts'

/** How far back one kind of data goes. */
export interface Availability {
  readonly isDisabled: boolean
  /** Null where it is not known. */
  readonly oldestBlock: number | null
  /** Blocks that it keeps behind its head; null where it deletes none, or does not say. */
  readonly retentionBlocks: number | null
}

export type Capabilities = Readonly<Record<Resource, Availability>>

/** What a node says that it can serve, and what its refusals say where it says nothing. */
export type ReadCapabilities = (signal: Signal) => Promise<Capabilities>

interface CapabilitiesPorts {
  readonly clock: Clock
  readonly request: (call: typeof capabilitiesCall, signal: Signal) => Promise<Reply>
  readonly unsupported: Health['unsupported']
}

/** How long an answer serves, and the lack of one. */
const answerMs = 600_000
const retryMs = 60_000

const capabilitiesCall = {
  method: 'eth_capabilities',
  params: '[]',
  context: internalCall,
  lane: 'single',
} as const

export function createCapabilities({ clock, request, unsupported }: CapabilitiesPorts): ReadCapabilities {
  let own: Readonly<Record<Resource, Availability | null>> | null = null
  let dueMs = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null

  async function refresh(signal: Signal): Promise<void> {
    const reply = await request(capabilitiesCall, signal)
    dueMs = clock.now() + retryMs
    if (reply.kind === 'unsupported') unsupported.method(capabilitiesCall.method)
    if (reply.kind !== 'result') return
    const given = Object(parseJson(reply.raw)) as Readonly<Record<string, unknown>>
    own = everyResource((resource) => readAvailability(given[resource]))
    dueMs = clock.now() + answerMs
  }

  function availability(resource: Resource): Availability {
    const methods = methodsByResource.get(resource) ?? []
    const learned = Math.max(-1, ...methods.map((method) => unsupported.prunedUpTo(method) ?? -1))
    const claim = own?.[resource] ?? unknown
    return {
      ...claim,
      isDisabled: claim.isDisabled || methods.every((method) => !unsupported.serves(method, null)),
      oldestBlock: learned < 0 ? claim.oldestBlock : Math.max(claim.oldestBlock ?? 0, learned + 1),
    }
  }

  return async (signal) => {
    if (clock.now() >= dueMs && unsupported.serves(capabilitiesCall.method, null)) {
      running ??= refresh(signal).finally(() => {
        running = null
      })
      await running
    }
    return everyResource(availability)
  }
}

const unknown: Availability = { isDisabled: false, oldestBlock: null, retentionBlocks: null }

export function everyResource<Value>(of: (resource: Resource) => Value): Readonly<Record<Resource, Value>> {
  return Object.fromEntries(
    [...methodsByResource.keys()].map((resource) => [resource, of(resource)]),
  ) as Record<Resource, Value>
}

/** Null for an entry that cannot be read. */
function readAvailability(value: unknown): Availability | null {
  const { disabled, oldestBlock, deleteStrategy } = Object(value) as Readonly<Record<string, unknown>>
  if (typeof disabled !== 'boolean') return null
  const { type, retentionBlocks } = Object(deleteStrategy) as Readonly<Record<string, unknown>>
  return {
    isDisabled: disabled,
    oldestBlock: blockNumber(oldestBlock),
    retentionBlocks: type === 'window' ? blockNumber(retentionBlocks) : null,
  }
}

/** Clients have written numbers both ways. */
function blockNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : null
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : null
}
