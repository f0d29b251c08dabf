import { type Hex, hexToString, isHex, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type BatchWish, checkBatch, describeBatch, fillBatch, isUpgraded, statusOfBatch } from './batch.ts'
import { callNode, knows } from './gateway.ts'
import { recall, remember } from './memory.ts'
import { confirm } from './prompt.ts'
import { describe, fill, type Wish } from './transaction.ts'
import { RpcError } from './wallet-error.ts'

/** anvil's first key. It is public: never send anything of value to its address. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

type Listener = (...args: readonly unknown[]) => void
type Method = (params: readonly unknown[]) => Promise<unknown>

interface Kind {
  /** Where it stores its state. */
  readonly key: string
  /** Whether it carries out several calls as one. */
  readonly isAtomic: boolean
}

/** An EIP-1193 provider that signs after a confirmation and reads through the gateway of this site. */
export function createProvider({ key: memoryKey, isAtomic }: Kind) {
  const account = privateKeyToAccount(key)
  const listeners = new Map<string, Set<Listener>>()
  let { allowed, chainId, batches } = recall(memoryKey)
  let prompting = false

  const emit = (event: string, ...args: readonly unknown[]) => {
    for (const listener of listeners.get(event) ?? []) listener(...args)
  }
  const accounts = () => (allowed ? [account.address] : [])
  const change = (next: { allowed?: boolean; chainId?: number }) => {
    const before = { allowed, chainId }
    allowed = next.allowed ?? allowed
    chainId = next.chainId ?? chainId
    remember(memoryKey, { allowed, chainId, batches })
    if (allowed !== before.allowed) emit('accountsChanged', accounts())
    if (chainId !== before.chainId) emit('chainChanged', numberToHex(chainId))
  }
  const consent = async (title: string, rows: readonly (readonly [string, string])[], action: string) => {
    if (prompting) throw new RpcError(-32002, 'A request is already pending. Please wait.')
    prompting = true
    try {
      if (!(await confirm({ title, rows, action, account: account.address, chainId })))
        throw new RpcError(4001, 'User rejected the request.')
    } finally {
      prompting = false
    }
  }
  const checkAllowed = () => {
    if (!allowed) throw new RpcError(4100, 'The site has not been given the account.')
  }
  const connect = async () => {
    if (!allowed) {
      await consent(
        'Connect this site',
        [
          ['Site', location.host],
          ['It may see', 'your address'],
        ],
        'Connect',
      )
      change({ allowed: true })
    }
    return accounts()
  }
  const moveTo = async ([wanted]: readonly unknown[]) => {
    const next = Number((wanted as { chainId?: string } | undefined)?.chainId)
    if (!(await knows(next))) throw new RpcError(4902, `Unrecognized chain ID ${next}.`)
    change({ chainId: next })
    return null
  }
  const sign = async (text: string, make: () => Promise<Hex>) => {
    checkAllowed()
    await consent('Sign a message', [['Message', text]], 'Sign')
    return make()
  }

  const methods: Readonly<Record<string, Method>> = {
    eth_accounts: async () => accounts(),
    eth_requestAccounts: connect,
    wallet_requestPermissions: async () => [
      {
        parentCapability: 'eth_accounts',
        caveats: [{ type: 'restrictReturnedAccounts', value: await connect() }],
      },
    ],
    wallet_getPermissions: async () => (allowed ? [{ parentCapability: 'eth_accounts' }] : []),
    wallet_revokePermissions: async () => {
      change({ allowed: false })
      return null
    },
    eth_chainId: async () => numberToHex(chainId),
    net_version: async () => String(chainId),
    wallet_switchEthereumChain: moveTo,
    wallet_addEthereumChain: moveTo,
    wallet_watchAsset: async () => {
      await consent('Watch a token', [['Site', location.host]], 'Watch')
      return true
    },
    personal_sign: ([message]) => {
      const text = String(message)
      const raw = isHex(text) ? text : undefined
      return sign(raw ? hexToString(raw) : text, () => account.signMessage({ message: raw ? { raw } : text }))
    },
    eth_signTypedData_v4: ([, typed]) =>
      sign('Typed data', () => account.signTypedData(typeof typed === 'string' ? JSON.parse(typed) : typed)),
    eth_sendTransaction: async ([wish]) => {
      checkAllowed()
      const transaction = await fill(chainId, account.address, wish as Wish)
      await consent('Send a transaction', describe(transaction), 'Confirm')
      return callNode(chainId, 'eth_sendRawTransaction', [await account.signTransaction(transaction)])
    },
  }

  const batchMethods: Readonly<Record<string, Method>> = {
    wallet_getCapabilities: async ([, chains = [numberToHex(chainId)]]) => {
      const status = async (id: number) => ((await isUpgraded(id, account.address)) ? 'supported' : 'ready')
      const entries = (chains as readonly Hex[]).map(async (chain) => [
        chain,
        { atomic: { status: await status(Number(chain)) } },
      ])
      return Object.fromEntries(await Promise.all(entries))
    },
    wallet_sendCalls: async ([wish]) => {
      checkAllowed()
      const { calls, id = crypto.randomUUID(), ...rest } = wish as BatchWish
      checkBatch({ ...rest, calls }, { from: account.address, chainId })
      if (Object.hasOwn(batches, id)) throw new RpcError(5720, 'There are calls with this id already.')
      const transaction = await fillBatch(chainId, account, calls)
      await consent(`Send ${calls.length} calls as one`, describeBatch(calls, transaction), 'Confirm')
      const sent = await callNode(chainId, 'eth_sendRawTransaction', [
        await account.signTransaction(transaction),
      ])
      batches = { ...batches, [id]: { hash: sent as Hex, chainId } }
      remember(memoryKey, { allowed, chainId, batches })
      return { id }
    },
    wallet_getCallsStatus: async ([id]) => {
      const batch = batches[String(id)]
      if (!batch) throw new RpcError(5730, 'There are no calls with this id.')
      return statusOfBatch(String(id), batch)
    },
  }
  const known = isAtomic ? { ...methods, ...batchMethods } : methods

  return {
    isDemoWallet: true,
    request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
      const own = known[method]
      if (own) return own(params)
      if (!method.startsWith('eth_') || method.startsWith('eth_sign'))
        throw new RpcError(4200, `The demo wallet does not do ${method}.`)
      return callNode(chainId, method, params)
    },
    on(event: string, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return this
    },
    removeListener(event: string, listener: Listener) {
      listeners.get(event)?.delete(listener)
      return this
    },
  }
}
