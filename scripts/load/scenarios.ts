/** Bodies to send, by count: the same count and seed give the same body, so that a run can be repeated. */
export type Scenario = (count: number) => string

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/** One row for each kind of traffic. */
export function scenarios(seed: number) {
  const address = (count: number) => `0x${hash(count, seed).toString(16).padStart(40, '0')}`
  const balance = (count: number): Call => ({ method: 'eth_getBalance', params: [address(count), 'latest'] })
  const block: Call = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const head: Call = { method: 'eth_blockNumber', params: [] }
  const logs = (count: number): Call => ({
    method: 'eth_getLogs',
    params: [{ fromBlock: 'latest', toBlock: 'latest', address: address(count) }],
  })
  /** What a page of a wallet asks for: mostly heads and a few accounts, now and then something heavy. */
  const mix = [
    { share: 40, make: () => one(head) },
    { share: 25, make: (count: number) => one(balance(count % 50)) },
    { share: 15, make: (count: number) => one(balance(count)) },
    { share: 10, make: () => one(block) },
    { share: 5, make: (count: number) => one(logs(count)) },
    {
      share: 5,
      make: (count: number) => many([head, block, ...range(8).map((at) => balance(count * 8 + at))]),
    },
  ]
  return {
    /** Another account each time: every one of them goes to the nodes. */
    read: (count) => one(balance(count)),
    /** The same, all at once. */
    burst: (count) => one(balance(count)),
    /** One account over and over: the nodes are asked once a head. */
    cached: () => one(balance(0)),
    /** A wallet's page: head, fees, and ten accounts, in one batch. */
    wallet: (count) =>
      many([
        head,
        { method: 'eth_gasPrice', params: [] },
        ...range(10).map((at) => balance(count * 10 + at)),
      ]),
    /** Twenty accounts at a time. */
    batch: (count) => many(range(20).map((at) => balance(count * 20 + at))),
    mixed(count) {
      let draw = hash(count, seed + 1) % 100
      const row = mix.find(({ share }) => {
        draw -= share
        return draw < 0
      })
      return (row?.make ?? (() => one(head)))(count)
    },
  } satisfies Record<string, Scenario>
}

export type ScenarioName = keyof ReturnType<typeof scenarios>

const one = ({ method, params }: Call) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const many = (calls: readonly Call[]) =>
  JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
const range = (length: number) => Array.from({ length }, (_, at) => at)

/** A number below 2^32 that looks like chance and is not (splitmix32). */
function hash(count: number, seed: number): number {
  let state = (count * 0x9e3779b9 + seed * 0x85ebca6b) | 0
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  state = Math.imul(state ^ (state >>> 15), 0x735a2d97)
  return (state ^ (state >>> 15)) >>> 0
}
