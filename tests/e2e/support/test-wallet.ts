import type { BrowserContext } from '@playwright/test'
import {
  createWalletClient,
  type Hex,
  hexToString,
  http,
  keccak256,
  type TransactionSerializableEIP1559,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chains, initial } from './chains.ts'
import { withResolvers } from './hold.ts'
import { type Announces, type Answer, injectWallet } from './injected.ts'
import { type GivenCall, sendAsOne, statusOfOne } from './send-as-one.ts'

/** A test wallet in every page of a context: EIP-1193 and EIP-6963 in the page, keys and behaviour here. */
export interface TestWallet {
  /** All methods requested by pages, in order. */
  readonly asked: string[]
  readonly requests: { readonly method: string; readonly params: readonly unknown[] }[]
  /** Answers a method with an error; `null` resets it. */
  readonly refuse: (method: string, error: { code: number; message: string } | null) => void
  /** Answers a method with this value from now on, for any params. */
  readonly answer: (method: string, result: unknown) => void
  /** Changes every transaction before it is signed, unseen by the page. */
  readonly edit: (change: Readonly<Record<string, Hex>>) => void
  /** From now on a transaction is signed, and goes where no node of the site sees it. */
  readonly sendPrivately: () => void
  /** Sends its last transaction again with twice the fee and these changes, as a wallet speeds up or cancels. */
  readonly replaceLast: (change: Readonly<Record<string, Hex>>) => Promise<void>
  /** Makes a method hang until the returned function is called. */
  readonly hold: (method: string) => () => void
  /** Changes the accounts and notifies every page. An empty list is a disconnect. */
  readonly setAccounts: (accounts: readonly string[]) => Promise<void>
  readonly setChain: (chainId: number) => Promise<void>
  /** Announces itself to all open pages. */
  readonly announce: () => Promise<void>
  readonly emitDisconnect: () => Promise<void>
  /** Emits an event with this value in every page. Nothing else about the wallet changes. */
  readonly emit: (event: string, value: unknown) => Promise<void>
}

export interface TestWalletOptions {
  readonly origin: string
  readonly rdns?: string
  readonly name?: string
  readonly chainId?: number
  readonly allowed?: boolean
  /** Known chains. Others give error 4902 until they are added. */
  readonly known?: readonly number[]
  /** On a host of local chains: in the place of the demo wallet, the only one that is offered there. */
  readonly inDemo?: true
  /** Takes several calls as one (EIP-5792). Its account gets the code for it, for as long as the local chain runs. */
  readonly isAtomic?: true
  /** Whether it announces itself to each new page, or only on request of the test. */
  readonly announces?: Announces
}

/** anvil's second account. */
const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
export const testAccount = account.address
/** anvil's third account. It only signs in. */
const otherAccount = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')
export const otherTestAccount = otherAccount.address

export async function addTestWallet(
  context: BrowserContext,
  options: TestWalletOptions,
): Promise<TestWallet> {
  const { origin, inDemo, name = 'Test Wallet', announces = 'at once' } = options
  const { rdns = inDemo ? 'dev.quorate.demo' : 'test.wallet' } = options
  if (inDemo) await context.route('**/demo-wallet.js', (route) => route.fulfill({ body: '' }))
  const known = new Set(options.known ?? chains.map(({ id }) => id))
  const refusals = new Map<string, { code: number; message: string }>()
  const answers = new Map<string, unknown>()
  let edits: Readonly<Record<string, Hex>> = {}
  let last: TransactionSerializableEIP1559 | undefined
  let isPrivate = false
  const holds = new Map<string, Promise<void>>()
  const requests: TestWallet['requests'] = []
  const asked: string[] = []
  let chainId = options.chainId ?? initial.id
  let accounts: readonly string[] = options.allowed ? [account.address] : []

  /** Bindings in the page are named by rdns, because a browser may have several wallets. */
  const names = { ask: `ask ${rdns}`, emit: `emit ${rdns}`, announce: `announce ${rdns}` }
  const inPages = (call: string, ...values: readonly unknown[]) =>
    Promise.all(
      context
        .pages()
        .map((page) =>
          page
            .evaluate(([name, rest]) => Reflect.get(window, name)?.(...rest), [call, values] as const)
            .catch(() => undefined),
        ),
    )
  const tell = (event: string, detail: unknown) => inPages(names.emit, event, detail)
  const setChain = async (next: number) => {
    chainId = next
    await tell('chainChanged', `0x${next.toString(16)}`)
  }
  const gateway = () => `${origin}/api/rpc/${chainId}`
  const rpc = async (method: string, params: readonly unknown[]) => {
    const response = await fetch(gateway(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const reply = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
    if (reply.error) throw reply.error
    return reply.result
  }
  const number = async (given: unknown, method: string, params: readonly unknown[]) =>
    BigInt((given as Hex | undefined) ?? ((await rpc(method, params)) as Hex))

  const methods: Readonly<Record<string, (params: readonly never[]) => Promise<unknown>>> = {
    eth_accounts: async () => accounts,
    eth_requestAccounts: async () => {
      if (accounts.length === 0) accounts = [account.address]
      return accounts
    },
    wallet_requestPermissions: async () => {
      if (accounts.length === 0) accounts = [account.address]
      return [
        {
          parentCapability: 'eth_accounts',
          caveats: [{ type: 'restrictReturnedAccounts', value: accounts }],
        },
      ]
    },
    wallet_revokePermissions: async () => {
      accounts = []
      return null
    },
    eth_chainId: async () => `0x${chainId.toString(16)}`,
    wallet_switchEthereumChain: async ([chain]: readonly { chainId: Hex }[]) => {
      const wanted = chain?.chainId
      if (!known.has(Number(wanted))) throw { code: 4902, message: 'Unrecognized chain ID.' }
      await setChain(Number(wanted))
      return null
    },
    wallet_addEthereumChain: async ([chain]: readonly { chainId: Hex }[]) => {
      const wanted = chain?.chainId
      known.add(Number(wanted))
      await setChain(Number(wanted))
      return null
    },
    personal_sign: async ([message]: readonly Hex[]) =>
      (accounts[0] === otherTestAccount ? otherAccount : account).signMessage({
        message: hexToString(message as Hex),
      }),
    eth_sendTransaction: async ([wish]: readonly Record<string, Hex>[]) => {
      const { to, value, data, gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = { ...wish, ...edits }
      last = {
        type: 'eip1559',
        chainId,
        to: to as Hex,
        value: BigInt(value ?? '0x0'),
        ...(data && { data }),
        nonce: Number(await number(nonce, 'eth_getTransactionCount', [account.address, 'pending'])),
        gas: await number(gas, 'eth_estimateGas', [{ from: account.address, to, value, data }]),
        maxFeePerGas: await number(maxFeePerGas, 'eth_gasPrice', []),
        maxPriorityFeePerGas: await number(maxPriorityFeePerGas, 'eth_maxPriorityFeePerGas', []),
      }
      const signed = await account.signTransaction(last)
      return isPrivate ? keccak256(signed) : rpc('eth_sendRawTransaction', [signed])
    },
    ...(options.isAtomic && {
      wallet_getCapabilities: async () => ({ [toHex(chainId)]: { atomic: { status: 'supported' } } }),
      wallet_sendCalls: async ([{ calls }]: readonly [{ readonly calls: readonly GivenCall[] }]) => ({
        id: await sendAsOne(createWalletClient({ account, transport: http(gateway()) }), calls),
      }),
      wallet_getCallsStatus: async ([hash]: readonly [Hex]) => statusOfOne(gateway(), { hash, chainId }),
    }),
  } as never

  await context.exposeBinding(
    names.ask,
    async (_, method: string, params: readonly never[] = []): Promise<Answer> => {
      asked.push(method)
      requests.push({ method, params })
      await holds.get(method)
      const refusal = refusals.get(method)
      if (refusal) return { error: refusal }
      if (answers.has(method)) return { result: answers.get(method) }
      try {
        return { result: await (methods[method] ?? ((rest) => rpc(method, rest)))(params) }
      } catch (error) {
        const { code, message } = error as { code?: number; message?: string }
        return { error: { code: code ?? -32603, message: message ?? 'failed' } }
      }
    },
  )
  await context.addInitScript(injectWallet, { rdns, name, names, announces })

  return {
    asked,
    requests,
    refuse: (method, error) => void (error ? refusals.set(method, error) : refusals.delete(method)),
    answer: (method, result) => void answers.set(method, result),
    edit(change) {
      edits = change
    },
    sendPrivately() {
      isPrivate = true
    },
    async replaceLast({ to, value }) {
      if (!last) throw new Error('no transaction was sent')
      last = {
        ...last,
        ...(to && { to }),
        ...(value && { value: BigInt(value) }),
        maxFeePerGas: (last.maxFeePerGas ?? 0n) * 2n,
        maxPriorityFeePerGas: (last.maxPriorityFeePerGas ?? 0n) * 2n,
      }
      await rpc('eth_sendRawTransaction', [await account.signTransaction(last)])
    },
    hold(method) {
      const { promise, resolve } = withResolvers()
      holds.set(method, promise)
      return () => {
        holds.delete(method)
        resolve()
      }
    },
    async setAccounts(next) {
      accounts = next
      await tell('accountsChanged', next)
    },
    setChain,
    announce: async () => {
      await inPages(names.announce)
    },
    async emit(event, value) {
      await tell(event, value)
    },
    emitDisconnect: async () => {
      await tell('disconnect', { code: 4900, message: 'disconnected' })
    },
  }
}
