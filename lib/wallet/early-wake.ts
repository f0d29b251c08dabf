/** The property of `window` in which the script below has the wallet and its answers. */
const slot = 'quorateEarlyWallet'

/**
 * Inlined in the HTML: asks the wallet of a returning visitor for its accounts and its chain as soon as it announces itself, while the
 * page's scripts load: an extension's service worker may need up to a second to wake. No other wallet is asked anything. What the
 * wallet changes afterwards takes the answers back. The server names the wallet, because a script waits for another process to read a cookie.
 */
export const earlyWakeScript = (connectorId: string) => `try {
  const id = ${JSON.stringify(connectorId)}
  const wake = (wallet) => {
    if (window.${slot}) return
    const answers = {}
    window.${slot} = { wallet, answers }
    for (const method of ['eth_accounts', 'eth_chainId']) {
      try {
        answers[method] = wallet.request({ method })
        answers[method].catch(() => {})
      } catch {}
    }
    for (const [event, method] of [['accountsChanged', 'eth_accounts'], ['chainChanged', 'eth_chainId']]) {
      try { wallet.on(event, () => delete answers[method]) } catch {}
    }
  }
  addEventListener('eip6963:announceProvider', ({ detail }) => {
    try { if (detail.info.rdns === id) wake(detail.provider) } catch {}
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  if (id === 'injected' && window.ethereum) wake(window.ethereum)
} catch {}`

/** The answer that this wallet was asked for before the page's code ran, once; undefined without one. */
export function earlyAnswer(wallet: object, method: string): unknown {
  const early: { wallet: unknown; answers: Record<string, unknown> } | undefined = Reflect.get(
    globalThis,
    slot,
  )
  if (early?.wallet !== wallet) return undefined
  const answer = early.answers[method]
  delete early.answers[method]
  return answer
}
