import type { Signal } from '../runtime/abort.ts'
import { type Clock, deadline } from '../runtime/clock.ts'
import type { Reply } from '../wire/types.ts'

/** Which chain a node serves, as it says itself. */
export interface Identity {
  /** Null while the node is known to serve our chain; else what is asked of it first, and the fault to report, if any. */
  readonly confirm: () => null | Promise<Reply | null>
  /** Until when it is taken to serve another chain, epoch milliseconds, and why; null while it is not. */
  readonly wrongChain: () => WrongChain | null
  /** It turned out to be of another chain by other means than its chain id. */
  readonly markWrongChain: () => void
  /** That has turned out to be unfounded. */
  readonly clearWrongChain: () => void
  /** It is asked again when it is next used: there is more to know it by. */
  readonly recheck: () => void
}

export interface WrongChain {
  readonly untilMs: number
  readonly why: string
}

/** How long it is believed, may take to say so at least, and is taken to serve another chain. */
const identityMaxAgeMs = 3_600_000
const identifyMsMin = 5_000
const wrongChainMs = 60_000

interface IdentityOptions {
  readonly chainId: number
  /** Of a call, which may wait for a node that is slow to say its chain, milliseconds. */
  readonly deadlineMs: number
}

interface IdentityPorts {
  readonly clock: Clock
  /** One eth_chainId. */
  readonly requestChainId: (signal: Signal) => Promise<Reply>
  /** Whether it shows another block in the place of a checkpoint; null where there is none to compare with. */
  readonly contradictsCheckpoint: (signal: Signal) => Promise<boolean> | null
  readonly onFault: (fault: Reply) => void
  /** It has been used, and turns out to contradict a checkpoint. */
  readonly onContradiction: () => void
  readonly onChange: (why: string) => void
}

export function createIdentity(
  { chainId, deadlineMs }: IdentityOptions,
  { clock, requestChainId, contradictsCheckpoint, onFault, onContradiction, onChange }: IdentityPorts,
): Identity {
  let identity:
    | { state: 'unknown' }
    | { state: 'right'; untilMs: number }
    | ({ state: 'wrong' } & WrongChain) = {
    state: 'unknown',
  }
  let identifying: Promise<Reply | null> | null = null

  function identify(): Promise<Reply | null> {
    identifying ??= checkChain().finally(() => {
      identifying = null
    })
    return identifying
  }

  async function checkChain(): Promise<Reply | null> {
    const { signal, cancel } = deadline(clock, Math.max(identifyMsMin, deadlineMs))
    const contradiction = contradictsCheckpoint(signal)
    const reply = await requestChainId(signal)
    const isElsewhere = contradiction !== null && (await contradiction)
    cancel()
    const served = reply.kind === 'result' ? quantityOf(reply.raw) : null
    if (served === null) {
      // It has not said which chain it serves, which is not to say another.
      const fault: Reply =
        reply.kind === 'fault'
          ? reply
          : { kind: 'fault', fault: reply.kind === 'result' ? 'malformed' : 'error' }
      onFault(fault)
      return identity.state === 'right' ? null : fault
    }
    const right = served === chainId
    const wasUsed = identity.state === 'right'
    const why = right ? 'shows another block at the checkpoint' : 'serves another chain'
    identity =
      right && !isElsewhere
        ? { state: 'right', untilMs: clock.now() + identityMaxAgeMs }
        : { state: 'wrong', untilMs: clock.now() + wrongChainMs, why }
    onChange(identity.state === 'right' ? 'it serves the right chain' : `it ${why}`)
    if (isElsewhere && wasUsed) onContradiction()
    return identity.state === 'right' ? null : { kind: 'fault', fault: 'wrong-chain' }
  }

  return {
    confirm() {
      const now = clock.now()
      if (identity.state === 'right') {
        if (now >= identity.untilMs) void identify()
        return null
      }
      if (identity.state === 'wrong' && now < identity.untilMs)
        return Promise.resolve({ kind: 'fault', fault: 'wrong-chain' })
      return identify()
    },
    wrongChain: () => (identity.state === 'wrong' ? identity : null),
    markWrongChain() {
      identity = { state: 'wrong', untilMs: clock.now() + identityMaxAgeMs, why: 'serves another chain' }
      onChange('its genesis is that of another chain')
    },
    clearWrongChain() {
      identity = { state: 'unknown' }
      onChange('its genesis is looked at again')
    },
    recheck() {
      if (identity.state === 'right') identity = { state: 'right', untilMs: clock.now() }
    },
  }
}

/** Null for what is no quantity, or one that no chain id is as large as. */
function quantityOf(raw: string): number | null {
  return /^"0x0*[0-9a-f]{1,13}"$/i.test(raw) ? Number(raw.slice(1, -1)) : null
}
