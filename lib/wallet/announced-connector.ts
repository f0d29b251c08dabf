import { type CreateConnectorFn, createConnector } from 'wagmi'
import type { AnnouncedWallet } from './wagmi-injected.ts'

type Connector = ReturnType<CreateConnectorFn>

/** By EIP-1474; MetaMask says so of a chain that it is about to reach again. */
const tryAgainLater = 1013

/**
 * An announced wallet as a connector. A reconnect needs no more than this; what a visitor starts is done by wagmi's own, which is loaded
 * then. Its `connect` and `switchChain` call back into this one.
 */
export function announcedConnector(wallet: AnnouncedWallet): CreateConnectorFn {
  const { provider, ...details } = wallet
  return createConnector((config) => {
    const { emitter } = config
    let whole: Promise<Connector> | undefined
    const load = () => {
      whole ??= import('./wagmi-injected.ts').then(({ wagmiInjected }) => wagmiInjected(wallet)(config))
      // If loading fails, the next call tries again.
      whole.catch(() => {
        whole = undefined
      })
      return whole
    }
    let stop = () => {}
    const listen = (connector: Connector) => {
      stop()
      const listeners = [
        ['accountsChanged', connector.onAccountsChanged.bind(connector)],
        ['chainChanged', connector.onChainChanged.bind(connector)],
        ['disconnect', connector.onDisconnect.bind(connector)],
      ] as const
      for (const [event, listener] of listeners) provider.on(event, listener)
      stop = () => {
        for (const [event, listener] of listeners) provider.removeListener(event, listener)
        stop = () => {}
      }
    }
    return {
      ...details,
      type: 'injected',
      async connect(wish = {}) {
        if (!wish.isReconnecting) {
          const { connect } = await load()
          stop()
          return connect.call(this, wish) as never
        }
        const accounts = await this.getAccounts().catch(() => [])
        listen(this as Connector)
        return { accounts, chainId: await this.getChainId() } as never
      },
      async disconnect() {
        stop()
        await (await whole)?.disconnect.call(this)
      },
      getAccounts: async () => (await provider.request({ method: 'eth_accounts' })) as never,
      getChainId: async () => Number(await provider.request({ method: 'eth_chainId' })),
      getProvider: async () => provider,
      async isAuthorized() {
        return (await this.getAccounts().catch(() => [])).length > 0
      },
      async switchChain(wish) {
        const { switchChain } = await load()
        return switchChain?.call(this, wish) as never
      },
      onAccountsChanged: (accounts) => void emitter.emit('change', { accounts: accounts as never }),
      onChainChanged: (chainId) => void emitter.emit('change', { chainId: Number(chainId) }),
      async onDisconnect(error) {
        const code = (error as { readonly code?: number } | undefined)?.code
        if (code === tryAgainLater && (await this.isAuthorized())) return
        emitter.emit('disconnect')
        await this.disconnect()
      },
    }
  }) as CreateConnectorFn
}
