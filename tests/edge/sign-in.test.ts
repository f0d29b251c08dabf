import {
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  publicActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { polygon } from 'viem/chains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { demoAccount } from '../../demo/accounts.ts'
import { compileContract } from '../../scripts/contracts/compile.ts'
import { counterfactualMark, stranger } from '../lib/sign-in/support.ts'
import { localChains } from '../support/chains.ts'
import { type Nodes, startNodes } from '../support/demo-nodes.ts'
import type { Host } from '../support/host.ts'
import { bothHosts, hostsForOneFile, pairOf, startBoth } from '../support/hosts.ts'
import { signedMessage } from '../support/signed-message.ts'

/** Sign-in in a production setup, on a chain with contract wallets. For reads half of all weight is a quorum. */
const chains = localChains({ chains: [{ id: 137 }] })
const start = hostsForOneFile()
const site = 'https://app.example'
const owner = demoAccount(0)
const factoryAbi = parseAbi([
  'function deploy(address owner) returns (address)',
  'function addressOf(address owner) view returns (address)',
])
let hosts: ReadonlyMap<string, Host>
let nodes: Nodes
let factory: Hex

beforeAll(async () => {
  const client = chainClient()
  const { bytecode } = compileContract('Factory', new URL('../support/wallet.sol', import.meta.url))
  const hash = await client.sendTransaction({ data: bytecode })
  factory = (await client.waitForTransactionReceipt({ hash })).contractAddress as Hex
  nodes = await startNodes({
    chainUrl: chains().chain(137).url,
    nodes: ['a', 'b', 'c', 'd'].map((name) => ({ name })),
  })
  const config = {
    chains: [{ id: 137, headMaxAgeMs: 250, nodes: nodes.nodes.map(({ name, url }) => ({ name, url })) }],
    rate: { trustedHops: 1 },
  }
  hosts = await startBoth(start, { config, env: { APP_ORIGIN: site } })
})
afterEach(() => allAre('honest'))
afterAll(() => nodes.stop())

const allAre = (faultProfile: 'honest' | 'lying') =>
  Promise.all(nodes.nodes.map(({ name }) => nodes.node(name).setFaultProfile(faultProfile)))

function chainClient() {
  const transport = http(chains().chain(137).url)
  return createWalletClient({ account: owner, chain: polygon, transport, pollingInterval: 50 }).extend(
    publicActions,
  )
}

const walletOf = (owner: Hex) =>
  chainClient().readContract({ address: factory, abi: factoryAbi, functionName: 'addressOf', args: [owner] })

describe.each(bothHosts)('%s', (kind) => {
  const host = () => hosts.get(kind) as Host
  let callers = 0

  /** Signs in like a browser, each time from another address. Returns the answer and the account of the session. */
  async function signIn(address: Hex, sign: (message: string) => Promise<Hex>) {
    callers += 1
    const headers = { 'x-forwarded-for': `203.0.113.${callers}` }
    const { cookie, body } = await signedMessage(host(), { address, sign, headers })
    const verified = await host().post('/api/auth/verify', body, { ...headers, cookie })
    const session = pairOf(verified)
    const seen = await host().get('/api/auth/session', { cookie: session })
    return { status: verified.status, session, seen: (await seen.json()) as unknown }
  }
  /** The same, again while the signature cannot be checked: on a busy machine too few nodes may be in time. */
  async function signInChecked(...tried: Parameters<typeof signIn>): ReturnType<typeof signIn> {
    const ended = await signIn(...tried)
    return ended.status === 503 ? signInChecked(...tried) : ended
  }
  const byOwner = (message: string) => owner.signMessage({ message })
  const byStranger = (message: string) => stranger.signMessage({ message })
  /** An ERC-6492 signature with the call that deploys the wallet. */
  const wrapped = (of: Hex, sign: (message: string) => Promise<Hex>) => async (message: string) => {
    const data = encodeFunctionData({ abi: factoryAbi, functionName: 'deploy', args: [of] })
    const parts = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
    return `${encodeAbiParameters(parts, [factory, data, await sign(message)])}${counterfactualMark}` as Hex
  }

  test('an EOA signs in while every node lies, and a forgery does not', async () => {
    await allAre('lying')
    expect(await signIn(owner.address, byOwner)).toMatchObject({
      status: 200,
      seen: { address: owner.address, chainId: 137, isContract: false },
    })
    const forged = await signIn(owner.address, byStranger)
    expect([forged.status === 401 || forged.status === 503, forged.seen]).toEqual([true, { address: null }])
  })

  test('a contract wallet signs in only with its owner’s signature, with one lying node', async () => {
    const client = chainClient()
    const address = await walletOf(owner.address)
    if ((await client.getCode({ address })) === undefined) {
      const deploy = { abi: factoryAbi, functionName: 'deploy', args: [owner.address] } as const
      const hash = await client.writeContract({ address: factory, ...deploy })
      await client.waitForTransactionReceipt({ hash })
    }
    await nodes.node('a').setFaultProfile('lying')
    // The next head look finds a head that the nodes agree on.
    await expect
      .poll(() => signIn(address, byOwner))
      .toMatchObject({ status: 200, seen: { address, isContract: true } })
    expect(await signInChecked(address, byStranger)).toMatchObject({ status: 401, seen: { address: null } })
    // Some wallets keep using ERC-6492 after their deployment.
    expect(await signInChecked(address, wrapped(owner.address, byOwner))).toMatchObject({ status: 200 })
    expect(await signInChecked(address, wrapped(owner.address, byStranger))).toMatchObject({ status: 401 })
  })

  test('an undeployed wallet signs in only with a signature that includes its deployment', async () => {
    const key = privateKeyToAccount(generatePrivateKey())
    const address = await walletOf(key.address)
    const byKey = (message: string) => key.signMessage({ message })
    expect(await signInChecked(address, wrapped(key.address, byKey))).toMatchObject({
      status: 200,
      seen: { address, isContract: true },
    })
    expect(await signInChecked(address, wrapped(key.address, byStranger))).toMatchObject({
      status: 401,
      seen: { address: null },
    })
  })

  test('a contract wallet is refused while half of the nodes lie', async () => {
    const address = await walletOf(owner.address)
    await Promise.all(['a', 'b'].map((name) => nodes.node(name).setFaultProfile('lying')))
    expect(await signIn(address, byOwner)).toMatchObject({ status: 503, seen: { address: null } })
    expect(await signIn(address, byStranger)).toMatchObject({ status: 503, seen: { address: null } })
  })

  test('the account page is for signed-in visitors only', async () => {
    const page = (cookie: string) =>
      fetch(`${host().url}/account`, {
        headers: { cookie, 'x-forwarded-proto': 'https' },
        redirect: 'manual',
      })
    const stranded = await page('__Host-quorate-session=Fe26.2*1*made*up')
    expect([stranded.status, stranded.headers.get('location')]).toEqual([307, '/sign-in'])
    const { session } = await signIn(owner.address, byOwner)
    const seen = await page(session)
    expect([seen.status, (await seen.text()).includes(owner.address)]).toEqual([200, true])
  })
})
