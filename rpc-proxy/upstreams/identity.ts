import type { Signal } from '../runtime/abort.ts'
import { type Clock, deadline } from '../runtime/clock.ts'
import type { Reply } from '../wire/types.ts'

/** Which chain a node serves, as it says itself. */
export interface Identity {
  /** Null while the node is known to serve our chain; else what is asked of it first, and the fault to report, if any. */
  readonly confirm: () => null | Promise<Reply | null>
  /** Until when it is taken to serve another chain, epoch milliseconds; null while it is not. */
  readonly foreignUntilMs: () => number | null
  /** It turned out to be of another chain by other means than its chain id. */
  readonly foreign: () => void
  /** That has turned out to be unfounded. */
  readonly notForeign: () => void
}

interface IdentityOptions {
  readonly chainId: number
  readonly identityMaxAgeMs?: number
  readonly identifyMs?: number
  readonly foreignMs?: number
}

interface IdentityPorts {
  readonly clock: Clock
  /** One eth_chainId. */
  readonly requestChainId: (signal: Signal) => Promise<Reply>
  readonly onFault: (fault: Reply) => void
  readonly onChange: (why: string) => void
}

export function createIdentity(
  { chainId, identityMaxAgeMs = 3_600_000, identifyMs = 5_000, foreignMs = 60_000 }: IdentityOptions,
  { clock, requestChainId, onFault, onChange }: IdentityPorts,
): Identity {
  let identity: { state: 'unknown' } | { state: 'right' | 'wrong'; untilMs: number } = { state: 'unknown' }
  let identifying: Promise<Reply | null> | null = null

  function identify(): Promise<Reply | null> {
    identifying ??= checkChain().finally(() => {
      identifying = null
    })
    return identifying
  }

  async function checkChain(): Promise<Reply | null> {
    const { signal, cancel } = deadline(clock, identifyMs)
    const reply = await requestChainId(signal)
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
    identity = {
      state: right ? 'right' : 'wrong',
      untilMs: clock.now() + (right ? identityMaxAgeMs : foreignMs),
    }
    onChange(right ? 'it serves the right chain' : 'it serves another chain')
    return right ? null : { kind: 'fault', fault: 'wrong-chain' }
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
    foreignUntilMs: () => (identity.state === 'wrong' ? identity.untilMs : null),
    foreign() {
      identity = { state: 'wrong', untilMs: clock.now() + identityMaxAgeMs }
      onChange('its genesis is that of another chain')
    },
    notForeign() {
      identity = { state: 'unknown' }
      onChange('its genesis is looked at again')
    },
  }
}

/** Null for what is no quantity, or one that no chain id is as large as. */
function quantityOf(raw: string): number | null {
  return /^"0x0*[0-9a-f]{1,13}"$/i.test(raw) ? Number(raw.slice(1, -1)) : null
}
