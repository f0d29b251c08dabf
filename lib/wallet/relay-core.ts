/** The parts of WalletConnect's core that are patched here. Some are private. */
interface Core {
  readonly relayer: Relayer
  readonly verify: Verify
}

interface Relayer {
  transportOpen: (url?: string) => Promise<void>
  readonly connected: boolean
  readonly connectionAttemptInProgress: boolean
  readonly provider: { readonly disconnect?: () => Promise<void> }
  readonly subscriber: { start: () => Promise<void>; readonly stop: () => Promise<void> }
}

interface Verify {
  register: (params: never) => Promise<string | undefined>
}

/** A connection whose subscriptions are not confirmed by then is replaced by a new one. */
const subscribedWithinMs = 8000
/** Backoff before the next connection, by consecutive failures. */
const pauseMs = (failures: number) => (failures === 0 ? 0 : Math.min(1000 * 2 ** (failures - 1), 30_000))
/** How long pairing or signing waits for the verify service. WalletConnect waits five seconds, each time. */
const verifiedWithinMs = 2000

/** WalletConnect stores its core under this global key, so that all clients of a page share it. */
export const corePrefix = 'clientTwo'
const coreKey = `_walletConnectCore_${corePrefix}`

/** Patches every core when it is created, because its first connection starts before any client is available. */
export function mendCores(): void {
  if (coreKey in globalThis) return
  let shared: Core | undefined
  Object.defineProperty(globalThis, coreKey, {
    configurable: true,
    get: () => shared,
    set: (core: Core) => {
      shared = core
      mendRelayer(core.relayer)
      mendVerify(core.verify)
    },
  })
}

/**
 * Makes nothing wait for the relay, because sessions are in the browser's storage. Unpatched, the client waits a minute for a
 * silent relay, and for ever when a connection closes before its subscriptions are confirmed.
 */
export function mendRelayer(relayer: Relayer): void {
  const open = relayer.transportOpen.bind(relayer)
  const { subscriber } = relayer
  const subscribe = subscriber.start.bind(subscriber)
  let failures = 0
  let opening = false

  relayer.transportOpen = async (url) => {
    if (opening) return
    opening = true
    const pause = pauseMs(failures)
    // Without a pause it must start synchronously: the caller's next request expects a connection attempt in progress.
    const isOpen = () => relayer.connected || relayer.connectionAttemptInProgress
    const opened = pause === 0 ? open(url) : after(pause).then(() => (isOpen() ? undefined : open(url)))
    void opened
      .catch(() => {})
      .finally(() => {
        opening = false
      })
  }
  subscriber.start = async () => {
    const { provider } = relayer
    failures++
    // The SDK treats a closed connection's subscriptions as active for a minute, so all are subscribed again.
    await subscriber.stop()
    const subscribed = subscribe().then(() => {
      if (relayer.provider === provider) failures = 0
    })
    const stalled = after(subscribedWithinMs).then(() =>
      failures === 0 ? undefined : provider.disconnect?.(),
    )
    void Promise.race([subscribed, stalled]).catch(() => {})
  }
}

/** Once the verify service has not answered (for example because of an ad blocker), requests no longer wait for it. */
export function mendVerify(verify: Verify): void {
  const register = verify.register
  let answers = true
  verify.register = async (params) => {
    const attestation = register(params).then((value) => {
      answers = Boolean(value)
      return value
    })
    if (!answers) return ''
    const silence = after(verifiedWithinMs).then(() => {
      answers = false
      return ''
    })
    return Promise.race([attestation, silence])
  }
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
