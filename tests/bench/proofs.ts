import { type Hex, keccak256, pad, toHex } from 'viem'
import { createGateway, parseConfig } from '#rpc-proxy'
import { encode, hashed, leafOf, pathItem } from '../rpc-proxy/proofs/build-trie.ts'
import { createChance } from '../sim/chance.ts'
import { provenBlockAt } from '../support/proven-chain.ts'
import { hex } from '../support/scripted-chain.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { spreadOf } from './load.ts'
import { requestOf } from './request.ts'

/** A read of each account, then of each again at the next block. Proofs have the eight nodes and 7.5 kB of those of a mainnet. */
const accountsCount = 1000
const blocksCount = 3
const rounds = 7
const depthMax = 7
const emptyCode = keccak256('0x')
const emptyRoot = keccak256('0x80')

type Calls = (address: Hex) => readonly (readonly [method: string, params: readonly unknown[]])[]

const account: Calls = (address) =>
  ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map((method) => [method, [address, 'latest']])

/** What one visit reads at each block: one call, the state of an account, or all that a wallet's page asks with it. */
const visits: Readonly<Record<string, Calls>> = {
  'a balance': (address) => account(address).slice(0, 1),
  'balance, nonce and code of an account': account,
  'a wallet page: 11 calls': (address) => [
    ['eth_chainId', []],
    ['eth_blockNumber', []],
    ...account(address),
    ['eth_getStorageAt', [address, '0x0', 'latest']],
    // Its tokens, and the name of the account.
    ['eth_call', [{ to: token, data: `0x70a08231${pad(address).slice(2)}` }, 'latest']],
    ['eth_call', [{ to: token, data: `0x691f3431${hashed(address)}` }, 'latest']],
    ['eth_gasPrice', []],
    ['eth_getLogs', [{ fromBlock: 'latest', toBlock: 'latest', topics: [null, null, pad(address)] }]],
    // What was sent, and is in no block yet.
    ['eth_getTransactionReceipt', [keccak256(address)]],
  ],
}
const token: Hex = `0x${'70'.repeat(20)}`

interface Cost {
  readonly us: number
  readonly requests: number
  readonly bytes: number
}

/** `npm run bench -- proofs`: requests, bytes and processor time of a read that nobody repeats, proven beside agreed by a quorum. */
export async function benchProofs(): Promise<void> {
  const state = largeState()
  const cases = Object.entries(visits).flatMap(([name, callsOf]) =>
    (['off', 'auto'] as const).map((proofs) => ({ name, callsOf, proofs, costs: [] as Cost[] })),
  )
  // The first round is for the compiler.
  for (let round = 0; round <= rounds; round++)
    for (const { callsOf, proofs, costs } of cases) {
      const cost = await costOf(state, callsOf, proofs)
      if (round > 0) costs.push(cost)
    }
  console.log(`${'per call'.padEnd(40)}by      requests  bytes    µs: median (least to most) of ${rounds}`)
  for (const { name, proofs, costs } of cases) {
    const { requests, bytes } = costs[0] as Cost
    const { median, least, most } = spreadOf(costs.map(({ us }) => us))
    const by = proofs === 'off' ? 'quorum' : 'proof'
    const time = `${median.toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})`
    console.log(
      `${name.padEnd(40)}${by.padEnd(8)}${requests.toFixed(2).padEnd(10)}${bytes.toFixed(0).padEnd(9)}${time}`,
    )
  }
}

interface LargeState {
  readonly stateRoot: Hex
  readonly addresses: readonly Hex[]
  readonly proofOf: (address: Hex) => readonly Hex[]
}

const addressAt = (index: number): Hex => pad(toHex(index + 1), { size: 20 })
const leaf = leafOf({ nonce: 7n, balance: 16n, storageHash: emptyRoot, codeHash: emptyCode })

/** A trie as deep as that of a mainnet: where no account of ours is, a branch has the hash of what is not there. */
function largeState(): LargeState {
  const chance = createChance(1)
  const elsewhere = () => `0x${Array.from({ length: 64 }, () => chance.int(16).toString(16)).join('')}` as Hex
  const addresses = Array.from({ length: accountsCount }, (_, index) => addressAt(index))
  const nodes = new Map<string, Hex>()
  const build = (paths: readonly string[], depth: number): Hex => {
    const [first = ''] = paths
    const children = [...'0123456789abcdef'].map((digit) => {
      const below = paths.filter((path) => path[depth] === digit)
      return below.length === 0 ? elsewhere() : build(below, depth + 1)
    })
    const node =
      depth === depthMax
        ? encode([pathItem(first.slice(depth), { isLeaf: true }), leaf])
        : encode([...children, '0x'])
    nodes.set(first.slice(0, depth), node)
    return keccak256(node)
  }
  const stateRoot = build(addresses.map(hashed), 0)
  const proofOf = (address: Hex) =>
    Array.from({ length: depthMax + 1 }, (_, depth) => nodes.get(hashed(address).slice(0, depth)) as Hex)
  return { stateRoot, addresses, proofOf }
}

async function costOf(state: LargeState, callsOf: Calls, proofs: 'off' | 'auto'): Promise<Cost> {
  const clock = virtualClock()
  let head = 1000
  const sent = { requests: 0, bytes: 0 }
  const replies = new Map<string, unknown>()
  for (const address of state.addresses) replies.set(address, replyFor(state, address))
  const nodes = ['a', 'b', 'c', 'd'].map((name) => ({ name, url: `http://${name}.test/`, batchCallsMax: 1 }))
  const chain = { id: 1, proofs, operatorsMin: 2, headLagMaxMs: null, headMaxAgeMs: 1000, nodes }
  const gateway = createGateway(parseConfig({ chains: [chain], rate: null }, {}), {
    clock,
    random: () => 0.5,
    async send({ body }) {
      const call = JSON.parse(body) as { id: unknown; method: string; params: readonly unknown[] }
      const text = JSON.stringify({ jsonrpc: '2.0', id: call.id, result: resultOf(call.method, call.params) })
      if (call.method !== 'eth_getBlockByNumber' && call.method !== 'eth_chainId') {
        sent.requests++
        sent.bytes += text.length
      }
      return { status: 200, retryAfter: null, body: text }
    },
  })
  const resultOf = (method: string, [what, slots]: readonly unknown[]): unknown => {
    if (method === 'eth_getProof') {
      const storageProof = (slots as readonly string[]).map((key) => ({ key, value: '0x0', proof: [] }))
      return { ...(replies.get(what as string) as object), storageProof }
    }
    if (method === 'eth_feeHistory') return feesUpTo(head)
    if (method === 'eth_getBlockByNumber')
      return provenBlockAt(what === 'latest' ? head : Math.max(Number(what) || 990, 990), state)
    return plain[method]
  }
  const before = process.cpuUsage()
  for (let block = 0; block < blocksCount; block++) {
    for (const address of state.addresses) {
      const calls = callsOf(address).map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
      let body: string | null = null
      void gateway.handle(requestOf(JSON.stringify(calls))).then((response) => {
        body = String(response.body)
      })
      await clock.until(() => body !== null)
      if (!isRight(body)) throw new Error(`the gateway answers ${body}`)
    }
    head++
    await clock.advance(3000)
  }
  const { user, system } = process.cpuUsage(before)
  gateway.close()
  const calls = accountsCount * blocksCount * callsOf('0x').length
  return { us: (user + system) / calls, requests: sent.requests / calls, bytes: sent.bytes / calls }
}

const feesUpTo = (head: number) => {
  const each = <Value>(value: Value, count = 20) => Array.from({ length: count }, () => value)
  return {
    oldestBlock: hex(head - 19),
    baseFeePerGas: each('0x7', 21),
    gasUsedRatio: each(0.5),
    reward: each(['0x1']),
  }
}

/** Whatever is asked: the balance, and no error. */
const isRight = (body: string | null) => body?.includes('"0x10"') === true && !body.includes('"error"')

const plain: Readonly<Record<string, unknown>> = {
  eth_chainId: hex(1),
  eth_getBalance: '0x10',
  eth_getTransactionCount: '0x7',
  eth_getCode: '0x',
  eth_getStorageAt: pad('0x'),
  eth_call: pad('0x5'),
  eth_getLogs: [],
  eth_getTransactionReceipt: null,
}

function replyFor({ proofOf }: LargeState, address: Hex): unknown {
  return {
    address,
    balance: '0x10',
    nonce: '0x7',
    codeHash: emptyCode,
    storageHash: emptyRoot,
    accountProof: proofOf(address),
  }
}
