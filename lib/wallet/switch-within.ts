import { type Chain, SwitchChainError } from 'viem'
import { ChainNotConfiguredError, type Connector, type CreateConnectorFn } from 'wagmi'

type Wish = Parameters<NonNullable<Connector['switchChain']>>[0]

interface SwitchOptions extends Pick<Parameters<CreateConnectorFn>[0], 'emitter' | 'chains'> {
  /** Asks the wallet. */
  readonly start: Connector['switchChain'] | undefined
}

/** The prompt may stay open for longer: what the wallet says after this time still counts. */
const switchWithinMs = 10_000
const switchPollMs = 500

/**
 * wagmi waits for both the wallet's promise and its event, for ever. Here the first sign of the new chain counts: either of them, or
 * what the wallet says when it is asked.
 */
export function switchWithin(
  connector: Pick<Connector, 'getChainId'>,
  wish: Wish,
  { emitter, chains, start }: SwitchOptions,
): Promise<Chain> {
  const chain = chains.find(({ id }) => id === wish.chainId)
  if (!chain) throw new SwitchChainError(new ChainNotConfiguredError())
  let stop = () => {}
  const switched = new Promise<Chain>((resolve, reject) => {
    const hear = ({ chainId }: { readonly chainId?: number | undefined }) => {
      if (chainId === chain.id) resolve(chain)
    }
    const look = async () => {
      const chainId = await connector.getChainId().catch(() => undefined)
      if (chainId === chain.id) emitter.emit('change', { chainId })
    }
    emitter.on('change', hear)
    const poll = setInterval(look, switchPollMs)
    const limit = setTimeout(reject, switchWithinMs, new Error('timed out switching chain'))
    stop = () => {
      clearInterval(poll)
      clearTimeout(limit)
      emitter.off('change', hear)
    }
    void start?.(wish).then(() => resolve(chain), reject)
  })
  return switched.finally(stop)
}
