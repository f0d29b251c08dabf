/** The parts of WalletConnect's core that are mended here, some of them private to it. */
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

/** A relay that has a connection and has not confirmed its subscriptions by then is given up for a new connection. */
const subscribedWithinMs = 8000
/** How long until the next connection, by how many in a row led to nothing. */
const pauseMs = (failures: number) => (failures === 0 ? 0 : Math.min(1000 * 2 ** (failures - 1), 30_000))
/** How long a code or a signature waits for the verify service: WalletConnect's own limit is five seconds, each time. */
const verifiedWithinMs = 2000

/** Where WalletConnect's client leaves its core, so that all clients of a page share it. */
export const corePrefix = 'clientTwo'
const coreKey = `_walletConnectCore_${corePrefix}`

/** Mends every core from the moment it is made: its first connection begins before any client hands it out. */
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
 * Nobody waits for the relay: sessions are in this browser's storage. The client would wait for a silent relay for a minute, and for
 * ever where a connection closes before its subscriptions are confirmed.
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
    // Without a pause it begins at once: what is asked next has to find a connection on its way.
    const opened =
      pause === 0 ? open(url) : after(pause).then(() => (isOpen(relayer) ? undefined : open(url)))
    void opened
      .catch(() => {})
      .finally(() => {
        opening = false
      })
  }
  subscriber.start = async () => {
    const { provider } = relayer
    failures++
    // The SDK counts a subscription of a closed connection as active for a minute: all are subscribed again.
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

/** A verify service that has not answered, as where an ad blocker refuses it, is asked on, but not waited for any more. */
export function mendVerify(verify: Verify): void {
  const register = verify.register
  let answers = true
  verify.register = async (params) => {
    const attestation = register(params).then((value) => {
      answers = Boolean(value)
      return value
    })
    if (!answers) return ''
    return Promise.race([attestation, after(verifiedWithinMs).then(giveUp)])
  }
  function giveUp() {
    answers = false
    return ''
  }
}

function isOpen({ connected, connectionAttemptInProgress }: Relayer): boolean {
  return connected || connectionAttemptInProgress
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
