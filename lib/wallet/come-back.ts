import type { Config, Connector } from 'wagmi'
import { reconnect } from 'wagmi/actions'

/** How long a wallet that announces itself is waited for before its SDK is loaded instead. */
const announceMs = 300
/** After this a returning visitor is offered a button, never a spinner without end. */
const deadlineMs = 5000

export type CameBack = 'connected' | 'refused' | 'late'

export interface ComeBackOptions {
  /** Resolves when a wallet of this id is known to wagmi, which may be never. */
  readonly announced: Promise<Connector>
  /** Loads the one listed wallet of this id; null when there is none. */
  readonly load: () => Promise<Connector | null>
}

/** Reconnects the wallet that was used last, and only that one: no other wallet is asked anything. */
export async function comeBack(config: Config, { announced, load }: ComeBackOptions): Promise<CameBack> {
  const attempt = async (): Promise<CameBack> => {
    const connector =
      (await Promise.race([announced, after(announceMs)])) ?? (await load()) ?? (await announced)
    const connections = await reconnect(config, { connectors: [connector] })
    return connections.length > 0 ? 'connected' : 'refused'
  }
  return Promise.race([attempt().catch((): CameBack => 'refused'), after(deadlineMs, 'late' as const)])
}

function after(ms: number): Promise<null>
function after<Value>(ms: number, value: Value): Promise<Value>
function after(ms: number, value: unknown = null): Promise<unknown> {
  return new Promise((resolve) => setTimeout(() => resolve(value), ms))
}
