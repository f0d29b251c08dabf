import type { Config, Connector } from 'wagmi'
import { createStore } from '#lib/page/value-store.ts'
import { hasPlaceholder, standsInFor } from './placeholder.ts'
import {
  type RestoreOptions,
  type RestoreOutcome,
  requestUnlock,
  restoreConnection,
  whenUnlocked,
} from './restore-connection.ts'

/** How the last wallet of a returning visitor came back; null while that is not known. */
export type ReconnectState = RestoreOutcome | null

type Source = Pick<RestoreOptions, 'announced' | 'load'>

/** Restores the connection of a returning visitor. One for each tab. */
export interface Reconnect {
  readonly state: () => ReconnectState
  readonly subscribe: (onChange: () => void) => () => void
  /** Reconnects the last wallet, again if it has been tried. Resolves with the outcome, `late` at the deadline. */
  readonly start: () => Promise<RestoreOutcome>
  /** Asks a locked wallet for its accounts. Rejects with the error of the wallet. */
  readonly unlock: () => Promise<void>
  /** Gives up the last wallet: its late answer is ignored. */
  readonly giveUp: () => void
}

/** `lastWallet` finds the connector of the last wallet; it is called for every attempt. */
export function createReconnect(config: Config, lastWallet: () => Source): Reconnect {
  const state = createStore<ReconnectState>(null)
  let attempt: AbortController | undefined
  let lockWatch: AbortController | undefined

  function become(next: ReconnectState): void {
    // Of several attempts the first that ends counts.
    if (next !== null && next !== 'late') giveUp()
    watchLock(next)
    state.set(next)
  }

  /** A locked wallet that shows accounts again is connected. */
  function watchLock(next: ReconnectState): void {
    lockWatch?.abort()
    const connector = next === 'locked' ? standsInFor(config) : undefined
    if (connector === undefined) return
    lockWatch = new AbortController()
    const { signal } = lockWatch
    void whenUnlocked(connector, signal).then(() => {
      if (!signal.aborted) void begin(fromList(connector))
    })
  }

  function giveUp(): void {
    attempt?.abort()
    attempt = undefined
  }

  /** An earlier attempt goes on: a slow wallet may answer it first. */
  function begin(source: Source): Promise<RestoreOutcome> {
    attempt ??= new AbortController()
    const { signal } = attempt
    return new Promise((resolve) => {
      restoreConnection(config, { ...source, signal }, (outcome) => {
        become(outcome)
        resolve(outcome)
      })
    })
  }

  config.subscribe(hasPlaceholder, (isLocked) => isLocked && become('locked'))
  return {
    state: state.get,
    subscribe: state.subscribe,
    start() {
      if (state.get() !== null) become(null)
      return begin(lastWallet())
    },
    async unlock() {
      const connector = standsInFor(config)
      if (connector === undefined) throw new Error('no wallet is locked')
      await requestUnlock(connector)
      void begin(fromList(connector))
    },
    giveUp,
  }
}

const fromList = (connector: Connector): Source => ({
  announced: Promise.resolve(connector),
  load: async () => null,
})
