import { visitorCookie } from './visitor.ts'

/**
 * Inlined in the HTML: asks the wallet of a returning visitor for its accounts as soon as it announces itself. An extension's
 * service worker may need up to a second to wake, and wakes while the page's scripts load. The reply is not used: the reconnect
 * asks again, and gets its answer from a wallet that is awake. No other wallet is asked anything.
 */
export const earlyWakeScript = `try {
  const cookie = document.cookie.split('; ').find((part) => part.startsWith('${visitorCookie}='))
  const id = cookie && JSON.parse(decodeURIComponent(cookie.slice(${visitorCookie.length + 1}))).connectorId
  const wake = (provider) => {
    try { provider.request({ method: 'eth_accounts' }).catch(() => {}) } catch {}
  }
  if (id) {
    addEventListener('eip6963:announceProvider', ({ detail }) => {
      try { if (detail.info.rdns === id) wake(detail.provider) } catch {}
    })
    dispatchEvent(new Event('eip6963:requestProvider'))
    if (id === 'injected') wake(window.ethereum)
  }
} catch {}`
