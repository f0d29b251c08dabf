import { expect, test, vi } from 'vitest'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { announcedConnector } from '#lib/wallet/announced-connector.ts'
import { guarded } from '#lib/wallet/injected.ts'
import { createReconnect } from '#lib/wallet/reconnect.ts'
import { knowAddress } from '#lib/wallet/wallet-values.ts'
import { own as address } from './accounts.ts'
import { goodWallet } from './hostile-wallet.ts'
import { configWith } from './one-chain.ts'

knowAddress(address)

test.each([6, 12, 18])(
  'a wallet that takes %i seconds to name its account is connected by then',
  async (s) => {
    vi.useFakeTimers()
    const { answers, provider: wallet } = goodWallet()
    const [provider, id] = [guarded(wallet), 'wallet.example']
    if (!provider) throw new Error('it is a wallet')
    const config = configWith({ address, chainId: 137, connectorId: id })
    const connector = addConnector(config, announcedConnector({ id, name: 'Slow', icon: 'data:,', provider }))
    const reconnect = createReconnect(config, async () => connector)
    answers.eth_accounts = new Promise((resolve) => setTimeout(resolve, s * 1000, [address]))
    void reconnect.start()
    await vi.advanceTimersByTimeAsync(s * 1000 - 1)
    expect(config.state.status).toBe('reconnecting')
    await vi.advanceTimersByTimeAsync(100)
    expect(reconnect.state()).toBe('connected')
    expect(config.state).toMatchObject({ status: 'connected', current: connector.uid })
  },
)
