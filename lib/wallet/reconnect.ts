import type { Config, Connector } from 'wagmi'
import { createStore } from '#lib/page/value-store.ts'
import { findListed } from './listed-id.ts'
import { placeholderId } from './placeholder.ts'
import { type RestoreOutcome, requestUnlock, restoreConnection, whenUnlocked } from './restore-connection.ts'

/** How the last wallet of a returning visitor came back; null while that is not known. */
export type ReconnectState = RestoreOutcome | null

export type Reconnect = ReturnType<typeof createReconnect>

/** Restores the connection of a returning visitor, once for each tab. `lastWallet` finds the connector of the last wallet, perhaps never; it is called for every attempt. */
export function createReconnect(config: Config, lastWallet: () => Promise<Connector>) {
  const state = createStore<ReconnectState>(null)
  let attempt: AbortController | undefined
  let lockWatch: AbortController | undefined
  let isRetried = false

  function become(next: ReconnectState): void {
    // Of several attempts the first that ends counts.
    if (next !== null && next !== 'late') giveUp()
    watchLock(next)
    state.set(next)
  }

  /** The listed wallet that the placeholder represents, if wagmi already has it. */
  function lockedWallet(): Connector | undefined {
    const id = placeholderId(config.state)
    return id === undefined ? undefined : findListed(config, id)
  }

  /** A locked wallet that shows accounts again is connected. */
  function watchLock(next: ReconnectState): void {
    lockWatch?.abort()
    const connector = next === 'locked' ? lockedWallet() : undefined
    if (connector === undefined) return
    lockWatch = new AbortController()
    const { signal } = lockWatch
    void whenUnlocked(connector, signal).then(() => {
      if (!signal.aborted) void begin(Promise.resolve(connector))
    })
  }

  /** A wallet that has not answered in time may be slow, and not locked: asked once more, its late answer connects. */
  async function retry(connector: Connector): Promise<void> {
    if (isRetried) return
    isRetried = true
    const accounts = await connector.getAccounts().catch(() => [])
    if (accounts.length > 0 && state.get() === 'locked') void begin(Promise.resolve(connector))
  }

  /** Gives up the last wallet: its late answer is ignored. */
  function giveUp(): void {
    attempt?.abort()
    attempt = undefined
  }

  /** An earlier attempt goes on: a slow wallet may answer it first. */
  function begin(wallet: Promise<Connector>): Promise<RestoreOutcome> {
    attempt ??= new AbortController()
    const { signal } = attempt
    return new Promise((resolve) => {
      restoreConnection(config, { wallet, signal }, (outcome) => {
        become(outcome)
        resolve(outcome)
        if (outcome === 'locked') void wallet.then(retry)
      })
    })
  }

  config.subscribe(placeholderId, (id) => id !== undefined && become('locked'))
  return {
    state: state.get,
    subscribe: state.subscribe,
    /** Reconnects the last wallet, again if it has been tried. Resolves with the outcome, `late` at the deadline. */
    start(): Promise<RestoreOutcome> {
      if (state.get() !== null) become(null)
      return begin(lastWallet())
    },
    /** Asks a locked wallet for its accounts. Rejects with the error of the wallet. */
    async unlock(): Promise<void> {
      const connector = lockedWallet()
      if (connector === undefined) throw new Error('no wallet is locked')
      await requestUnlock(connector)
      void begin(Promise.resolve(connector))
    },
    giveUp,
  }
}
