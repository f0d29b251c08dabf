import { type Config, type Connector, type CreateConnectorFn, createConnector } from 'wagmi'
import { connect } from 'wagmi/actions'
import { site } from '#site'
import { corePrefix, mendCores } from './relay-core.ts'
import { toAccounts } from './wallet-values.ts'

export interface RelayOptions {
  readonly appName: string
  readonly walletConnectId: string
}

/** WalletConnect's options. The same for every wallet, because RainbowKit creates one client per set of options. */
export function relayed({ appName, walletConnectId }: RelayOptions) {
  mendCores()
  const metadata = {
    name: appName,
    description: site.description,
    url: location.origin,
    icons: [`${location.origin}${site.logo}`],
  }
  return {
    projectId: walletConnectId,
    options: {
      metadata,
      customStoragePrefix: corePrefix,
      // wagmi stores the requested chains in a storage that we do not provide, and would end every session on reload.
      isNewChainsStale: false,
    },
  }
}

/** A visitor who disconnects is disconnected by then, whether or not the wallet has heard of it. */
const endedWithinMs = 2000

type Accounts = readonly string[]

interface Session {
  readonly topic: string
  readonly namespaces: { readonly eip155?: { readonly accounts: Accounts } }
}

/** A message of a connector: a wallet has approved a pairing whose call has given up. */
const lateSession = 'late_session'

interface RelayProvider {
  readonly chainId: number
  readonly accounts: Accounts
  readonly session?: Session
  readonly signer: Signer
  readonly on: (event: 'session_update', hear: (update: { readonly params: Session }) => void) => void
}

interface Signer {
  readonly setDefaultChain: (chain: string) => void
  readonly disconnect: () => Promise<void>
  readonly cleanup: () => Promise<void>
  readonly client: {
    readonly session: { readonly delete: (topic: string, reason: typeof byVisitor) => Promise<void> }
  }
}

const byVisitor = { code: 6000, message: 'User disconnected.' }

/** Without the relay, which tells the wallet, the client would wait for a minute and keep the session: the next pairing would get it. */
async function endSession({ topic }: Session, signer: Signer): Promise<void> {
  const ended = signer.disconnect().catch(() => {})
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, endedWithinMs))])
  await signer.client.session.delete(topic, byVisitor)
  await signer.cleanup()
}

/**
 * A WalletConnect wallet may change accounts with a session update only, and may switch to a chain before it shows an account
 * there. wagmi ignores the first and treats the second as the end of the session.
 */
export function withSession(create: CreateConnectorFn): CreateConnectorFn {
  return createConnector((config) => {
    const connector = create(config)
    if (connector.type !== 'walletConnect') return connector as never
    const providerOf = async (self: unknown) =>
      (await connector.getProvider.call(self as never)) as RelayProvider
    let isHeard = false
    /** An attempt without a code yet. Another one would wait beside it, and the code of either could come first. */
    let codeless: ReturnType<typeof connector.connect> | undefined
    const forget = () => {
      codeless = undefined
    }
    config.emitter.on('message', ({ type }) => {
      if (type === 'display_uri') forget()
    })
    return {
      ...connector,
      async connect(wish: object = {}) {
        codeless ??= connector.connect.call(this, wish)
        const attempt = codeless
        attempt.then(forget, forget)
        const connected = await withCode(attempt, config.emitter).catch((error) => {
          // Its code may come yet, and be scanned.
          attempt.then(
            () => config.emitter.emit('message', { type: lateSession }),
            () => {},
          )
          throw error
        })
        const provider = await providerOf(this)
        if (!isHeard)
          provider.on('session_update', ({ params }) => {
            const chain = `eip155:${provider.chainId}:`
            const approved = accountsOf(params).filter((account) => account.startsWith(chain))
            void toAccounts(approved.map((account) => account.slice(chain.length))).then((accounts) => {
              if (accounts?.length) config.emitter.emit('change', { accounts })
            })
          })
        isHeard = true
        return connected as never
      },
      async isAuthorized() {
        const provider = await providerOf(this)
        const [account] = accountsOf(provider.session)
        // The page was left on a chain where the session has no account. Switches to one where it has.
        if (account !== undefined && provider.accounts.length === 0)
          provider.signer.setDefaultChain(account.slice(0, account.lastIndexOf(':')))
        return connector.isAuthorized.call(this)
      },
      async disconnect() {
        const { session, signer } = await providerOf(this)
        if (session) await endSession(session, signer)
        await connector.disconnect.call(this)
      },
      async onAccountsChanged(accounts: string[]) {
        // Not the end of the session, which has an event of its own.
        const isOnlyElsewhere = accounts.length === 0 && (await providerOf(this)).session !== undefined
        if (!isOnlyElsewhere) connector.onAccountsChanged.call(this, accounts)
      },
    } as never
  }) as CreateConnectorFn
}

/** Connects when a wallet has approved a pairing whose code came late, unless another is connected or connecting. */
export function connectLate(config: Config, connector: Connector): Connector {
  connector.emitter.on('message', ({ type }) => {
    if (type === lateSession && config.state.status === 'disconnected')
      connect(config, { connector }).catch(() => {})
  })
  return connector
}

/** A pairing has its code by then, unless the relay is out of reach: the client would try for two minutes. */
const codeWithinMs = 10_000

async function withCode<Connected>(
  connected: Promise<Connected>,
  emitter: Parameters<CreateConnectorFn>[0]['emitter'],
): Promise<Connected> {
  let limit: ReturnType<typeof setTimeout> | undefined
  const unreachable = new Promise<never>((_, reject) => {
    limit = setTimeout(reject, codeWithinMs, new Error('the WalletConnect relay cannot be reached'))
  })
  const hear = ({ type }: { readonly type: string }) => {
    if (type === 'display_uri') clearTimeout(limit)
  }
  emitter.on('message', hear)
  try {
    return await Promise.race([connected, unreachable])
  } finally {
    clearTimeout(limit)
    emitter.off('message', hear)
  }
}

function accountsOf(session: Session | undefined): Accounts {
  return session?.namespaces.eip155?.accounts ?? []
}
