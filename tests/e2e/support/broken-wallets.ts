/** What extensions leave in a page. Each is run in the page, before its own code. */
export const brokenWallets = {
  'a null': () => {
    Reflect.set(window, 'ethereum', null)
  },
  'a null that cannot be replaced': () => {
    Object.defineProperty(window, 'ethereum', { value: null })
  },
  'a property that throws': () => {
    const get = () => {
      throw new Error('Extension context invalidated.')
    }
    Object.defineProperty(window, 'ethereum', { configurable: true, get })
  },
  'a property that throws and cannot be replaced': () => {
    const get = () => {
      throw new Error('Extension context invalidated.')
    }
    Object.defineProperty(window, 'ethereum', { get })
  },
  'a list of wallets that throws': () => {
    const get = () => {
      throw new Error('Extension context invalidated.')
    }
    const request = async () => []
    Reflect.set(window, 'ethereum', Object.defineProperty({ request }, 'providers', { get }))
  },
  'a list of wallets with a null': () => {
    Reflect.set(window, 'ethereum', { request: async () => [], providers: [null] })
  },
  'a list of wallets that is no list': () => {
    Reflect.set(window, 'ethereum', { request: async () => [], providers: {} })
  },
  'a wallet of which nothing can be read': () => {
    const get = () => {
      throw new Error('Extension context invalidated.')
    }
    Reflect.set(window, 'ethereum', new Proxy({}, { get }))
  },
  'announcements that throw': () => {
    const get = () => {
      throw new Error('Extension context invalidated.')
    }
    const unreadable = new Proxy({}, { get })
    const info = { uuid: '1', rdns: 'odd.wallet', name: 'Odd Wallet', icon: 'data:image/png;base64,' }
    const details = [
      null,
      unreadable,
      { info: unreadable },
      { info, provider: unreadable },
      { info, provider: null },
    ]
    window.addEventListener('eip6963:requestProvider', () => {
      for (const detail of details)
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    })
  },
} as const satisfies Readonly<Record<string, () => void>>
