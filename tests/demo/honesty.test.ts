import { createPublicClient, encodeFunctionData, http, parseAbiItem } from 'viem'
import { describe, expect, test } from 'vitest'
import { demoAccount } from '../../demo/accounts.ts'
import { demoToken, multicall3Address, tokenAbi } from '../../demo/history.ts'
import { callNode } from '../../demo/json-rpc.ts'
import type { FaultProfileInput } from '../../demo/nodes/fault-profile.ts'
import { localChains } from '../support/chains.ts'
import { nodesForOneTest } from '../support/nodes.ts'
import { until } from '../support/until.ts'

/** Honest, lagging and consistently lying nodes. The chain mines no blocks, so that answers can be compared. */
const chains = localChains({ chains: [{ id: 137 }], blockTimeS: 600 })
const start = nodesForOneTest()
const chainUrl = () => chains().chain(137).url
const rich = demoAccount(9).address

async function nodes(...faultProfiles: FaultProfileInput[]) {
  const started = await start({
    chainUrl: chainUrl(),
    nodes: faultProfiles.map((faultProfile, index) => ({ name: 'abcdef'[index] ?? 'z', faultProfile })),
  })
  return started.nodes.map(({ url }) => url)
}

async function node(faultProfile: FaultProfileInput): Promise<string> {
  const [url = ''] = await nodes(faultProfile)
  return url
}

type Block = { number: string; hash: string; parentHash: string; transactions: string[]; timestamp: string }
const latest = (url: string) => callNode<Block>(url, 'eth_getBlockByNumber', ['latest', false])
const hex = (number: number) => `0x${number.toString(16)}`

describe('honest', () => {
  test('returns the answer of the chain byte for byte', async () => {
    const body = JSON.stringify([
      { jsonrpc: '2.0', id: 'x', method: 'eth_getBlockByNumber', params: ['latest', true] },
      { jsonrpc: '2.0', id: 2, method: 'eth_nonsense', params: [] },
    ])
    const post = async (url: string) =>
      (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()
    expect(await post(await node('honest'))).toBe(await post(chainUrl()))
  })
})

describe('lagging', () => {
  test('every way to read the head gives the block k lower, and its state', async () => {
    const late = await node({ kind: 'lagging', blocks: 3 })
    const real = Number(await callNode(chainUrl(), 'eth_blockNumber'))
    await callNode(chainUrl(), 'eth_sendTransaction', [
      { from: demoAccount(2).address, to: rich, value: '0x1' },
    ])
    await callNode(chainUrl(), 'anvil_mine', ['0x3'])

    expect(Number(await callNode(late, 'eth_blockNumber'))).toBe(real)
    expect((await latest(late)).number).toBe(hex(real))
    expect((await callNode<Block>(late, 'eth_getBlockByNumber', ['pending', false])).number).toBe(hex(real))
    expect(await callNode(late, 'eth_getBalance', [rich, 'latest'])).toBe(
      await callNode(chainUrl(), 'eth_getBalance', [rich, hex(real)]),
    )
    expect(await callNode(late, 'eth_getBalance', [rich])).not.toBe(
      await callNode(chainUrl(), 'eth_getBalance', [rich, 'latest']),
    )
  })

  test('answers for unknown blocks like geth', async () => {
    const late = await node('lagging')
    const head = await latest(chainUrl())
    const above = [rich, head.number]
    expect(await callNode(late, 'eth_getBlockByNumber', [head.number, false])).toBeNull()
    expect(await callNode(late, 'eth_getBlockByHash', [head.hash, false])).toBeNull()
    expect(await callNode(late, 'eth_getBlockReceipts', [head.number])).toBeNull()
    await expect(callNode(late, 'eth_getBalance', above)).rejects.toThrow('header not found (-32000)')
    await expect(callNode(late, 'eth_getTransactionCount', above)).rejects.toThrow('header not found')
    await expect(callNode(late, 'eth_getCode', above)).rejects.toThrow('header not found')
    await expect(callNode(late, 'eth_getStorageAt', [rich, '0x0', head.number])).rejects.toThrow(
      'header not found',
    )
    await expect(callNode(late, 'eth_call', [{ to: rich }, head.number])).rejects.toThrow('header not found')
    await expect(callNode(late, 'eth_getBalance', [rich, { blockHash: head.hash }])).rejects.toThrow(
      'header not found',
    )
    await expect(callNode(late, 'eth_feeHistory', ['0x1', head.number, []])).rejects.toThrow(
      'request beyond head block',
    )
    await expect(callNode(late, 'eth_getLogs', [{ fromBlock: '0x1', toBlock: head.number }])).rejects.toThrow(
      'block range extends beyond current head block (-32602)',
    )
    await expect(callNode(late, 'eth_getLogs', [{ blockHash: head.hash }])).rejects.toThrow('unknown block')
  })

  test('has receipts and transactions of a block only once it has the block', async () => {
    const late = await node({ kind: 'lagging', blocks: 1 })
    const hash = await callNode(chainUrl(), 'eth_sendTransaction', [
      { from: demoAccount(2).address, to: rich, value: '0x1' },
    ])
    await callNode(chainUrl(), 'anvil_mine', ['0x1'])
    expect(await callNode(late, 'eth_getTransactionReceipt', [hash])).toBeNull()
    expect(await callNode(late, 'eth_getTransactionByHash', [hash])).toBeNull()
    await callNode(chainUrl(), 'anvil_mine', ['0x1'])
    expect(await callNode(late, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    expect(await callNode(late, 'eth_getTransactionByHash', [hash])).toMatchObject({ hash })
  })

  test('gives logs up to its own head only', async () => {
    const late = await node({ kind: 'lagging', blocks: 30 })
    const all = { fromBlock: 'earliest', toBlock: 'latest' }
    const [seen, real] = await Promise.all([
      callNode<unknown[]>(late, 'eth_getLogs', [all]),
      callNode<unknown[]>(chainUrl(), 'eth_getLogs', [all]),
    ])
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.length).toBeLessThan(real.length)
    expect(real.slice(0, seen.length)).toEqual(seen)
  })

  test('has safe and finalized equally far behind', async () => {
    const late = await node('lagging')
    for (const tag of ['safe', 'finalized']) {
      const [here, there] = await Promise.all(
        [late, chainUrl()].map((url) => callNode<Block>(url, 'eth_getBlockByNumber', [tag, false])),
      )
      expect(Number(here?.number)).toBe(Number(there?.number) - 2)
    }
  })
})

describe('lying about values', () => {
  test('changes balances, nonces, code, storage, gas and call results, but not the blocks', async () => {
    const liar = await node('lying')
    const { token } = chains().chain(137)
    const balanceOf = {
      to: token,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [rich] }),
    }
    const calls: [string, unknown[]][] = [
      ['eth_getBalance', [rich, 'latest']],
      ['eth_getTransactionCount', [rich, 'latest']],
      ['eth_getCode', [token, 'latest']],
      ['eth_getStorageAt', [token, '0x0', 'latest']],
      ['eth_estimateGas', [{ to: rich, value: '0x1' }]],
      ['eth_call', [balanceOf, 'latest']],
      ['eth_gasPrice', []],
      ['eth_feeHistory', ['0x2', 'latest', []]],
      ['eth_getProof', [rich, [], 'latest']],
    ]
    for (const [method, params] of calls) {
      const [lie, truth] = await Promise.all([
        callNode(liar, method, params),
        callNode(chainUrl(), method, params),
      ])
      expect(lie, method).not.toEqual(truth)
      expect(await callNode(liar, method, params), `${method} again`).toEqual(lie)
    }
    expect(await latest(liar)).toEqual(await latest(chainUrl()))
  })

  test('inverts receipt statuses and changes logs', async () => {
    const liar = await node('lying')
    const filter = [{ address: chains().chain(137).token, fromBlock: '0x0', toBlock: 'latest' }]
    const [lies, truths] = await Promise.all(
      [liar, chainUrl()].map((url) =>
        callNode<{ data: string; transactionHash: string }[]>(url, 'eth_getLogs', filter),
      ),
    )
    expect(lies?.length).toBe(truths?.length)
    expect(lies?.[0]?.data).not.toBe(truths?.[0]?.data)
    const hash = [truths?.[0]?.transactionHash]
    const [reported, real] = await Promise.all(
      [liar, chainUrl()].map((url) =>
        callNode<{ status: string; logs: unknown[] }>(url, 'eth_getTransactionReceipt', hash),
      ),
    )
    expect([reported?.status, real?.status]).toEqual(['0x0', '0x1'])
    expect(reported?.logs[0]).not.toEqual(real?.logs[0])
  })

  test('lies inside a multicall, so that it still decodes', async () => {
    const client = createPublicClient({ transport: http(await node('lying')) })
    const contract = { address: chains().chain(137).token, abi: tokenAbi } as const
    const [name, balance] = await client.multicall({
      multicallAddress: multicall3Address,
      allowFailure: false,
      contracts: [
        { ...contract, functionName: 'name' },
        { ...contract, functionName: 'balanceOf', args: [rich] },
      ],
    })
    expect(name).not.toBe(demoToken.name)
    expect(name.length).toBe(demoToken.name.length)
    expect(balance).toBeGreaterThan(demoToken.each)
  })

  test('does not send a transaction and returns another hash', async () => {
    const liar = await node('lying')
    const signed = await demoAccount(3).signTransaction({
      chainId: 137,
      nonce: 99,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      to: rich,
      value: 1n,
    })
    const hash = await callNode(liar, 'eth_sendRawTransaction', [signed])
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(hash).not.toBe(await callNode(chainUrl(), 'eth_sendRawTransaction', [signed]))
  })

  test('colluding liars tell the same lie, others tell their own', async () => {
    const urls = await nodes(
      { kind: 'lying', lieName: 'x' },
      { kind: 'lying', lieName: 'x' },
      'lying',
      'lying',
    )
    const said = await Promise.all(urls.map((url) => callNode(url, 'eth_getBalance', [rich, 'latest'])))
    expect(said[0]).toBe(said[1])
    expect(new Set(said).size).toBe(3)
  })
})

describe('lying about heads', () => {
  test('shows its own chain far above, linked down to the real one', async () => {
    const liar = await node({ kind: 'lying', about: 'heads', blocksAhead: 5 })
    const real = await latest(chainUrl())
    const head = await latest(liar)
    expect(Number(head.number)).toBe(Number(real.number) + 5)
    expect(await callNode(liar, 'eth_blockNumber')).toBe(head.number)

    let block = head
    for (let steps = 0; steps < 5; steps++) {
      const parent = await callNode<Block>(liar, 'eth_getBlockByHash', [block.parentHash, false])
      expect(parent.hash).toBe(block.parentHash)
      expect(Number(parent.number)).toBe(Number(block.number) - 1)
      expect(await callNode(liar, 'eth_getBlockByNumber', [parent.number, false])).toEqual(parent)
      block = parent
    }
    expect(block).toEqual(real)
    expect(await callNode(liar, 'eth_getBlockByNumber', [hex(Number(head.number) + 1), false])).toBeNull()
  })

  test('has state at its fabricated blocks, by number and by hash', async () => {
    const liar = await node({ kind: 'lying', about: 'heads' })
    const head = await latest(liar)
    const truth = await callNode(chainUrl(), 'eth_getBalance', [rich, 'latest'])
    expect(await callNode(liar, 'eth_getBalance', [rich, head.number])).toBe(truth)
    expect(await callNode(liar, 'eth_getBalance', [rich, { blockHash: head.hash }])).toBe(truth)
    await expect(callNode(liar, 'eth_getBalance', [rich, hex(Number(head.number) + 1)])).rejects.toThrow(
      'header not found',
    )
  })

  test('has no transactions, receipts or logs in fabricated blocks', async () => {
    const hash = await callNode(chainUrl(), 'eth_sendTransaction', [
      {
        from: demoAccount(1).address,
        to: chains().chain(137).token,
        data: encodeFunctionData({ abi: tokenAbi, functionName: 'faucet' }),
      },
    ])
    await callNode(chainUrl(), 'anvil_mine', ['0x1'])
    const liar = await node({ kind: 'lying', about: 'heads' })
    const { number, hash: blockHash, transactions } = await latest(liar)
    expect(transactions).toEqual([])
    expect(await callNode(liar, 'eth_getBlockReceipts', [number])).toEqual([])
    expect(await callNode(liar, 'eth_getBlockTransactionCountByHash', [blockHash])).toBe('0x0')
    expect(await callNode(liar, 'eth_getTransactionByBlockNumberAndIndex', [number, '0x0'])).toBeNull()
    expect(await callNode(liar, 'eth_getLogs', [{ blockHash }])).toEqual([])
    expect(await callNode(liar, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: number }])).toContainEqual(
      expect.objectContaining({ transactionHash: hash }),
    )
  })

  test('with no blocks ahead, it forks: same numbers, other hashes, in blocks, receipts and logs', async () => {
    const liar = await node({ kind: 'lying', about: 'heads', blocksAhead: 0 })
    await latest(liar)
    const hash = await callNode(chainUrl(), 'eth_sendTransaction', [
      {
        from: demoAccount(0).address,
        to: chains().chain(137).token,
        data: encodeFunctionData({ abi: tokenAbi, functionName: 'faucet' }),
      },
    ])
    await callNode(chainUrl(), 'anvil_mine', ['0x1'])
    const [reported, real] = await Promise.all([latest(liar), latest(chainUrl())])
    expect(reported.number).toBe(real.number)
    expect(reported.hash).not.toBe(real.hash)
    expect(reported.parentHash).toBe(real.parentHash)
    expect(await callNode(liar, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      blockHash: reported.hash,
      logs: [{ blockHash: reported.hash }],
    })
    expect(await callNode(liar, 'eth_getLogs', [{ blockHash: reported.hash }])).toMatchObject([
      { blockHash: reported.hash },
    ])
    expect(await callNode(liar, 'eth_getBlockByHash', [real.hash, false])).toBeNull()
  })

  test('colluding liars share one chain, and may lie about values on top', async () => {
    const [one = '', two = ''] = await nodes(
      { kind: 'lying', about: 'heads', lieName: 'x' },
      { kind: 'lying', about: 'both', lieName: 'x' },
    )
    expect((await latest(one)).hash).toBe((await latest(two)).hash)
    expect(await callNode(two, 'eth_getBalance', [rich, 'latest'])).not.toBe(
      await callNode(one, 'eth_getBalance', [rich, 'latest']),
    )
  })
})

describe('other faultProfiles with their own replies', () => {
  test('wrong-chain reports another id', async () => {
    const url = await node({ kind: 'wrong-chain', chainId: 10 })
    expect(await callNode(url, 'eth_chainId')).toBe('0xa')
    expect(await callNode(url, 'net_version')).toBe('10')
    expect(await latest(url)).toEqual(await latest(chainUrl()))
  })

  test('limited refuses calls over its limits, with the messages of public nodes', async () => {
    const url = await node({
      kind: 'limited',
      logsRangeMax: 10,
      batchCallsMax: 2,
      depthBlocksMax: 20,
      without: ['eth_getProof'],
      unauthorised: ['eth_getBlockReceipts'],
    })
    const logs = (fromBlock: string, toBlock: string) =>
      callNode(url, 'eth_getLogs', [{ fromBlock, toBlock }])
    await expect(logs('0x1', '0xa')).resolves.toBeInstanceOf(Array)
    await expect(logs('0x1', '0xb')).rejects.toThrow('query exceeds max block range 10')
    const head = Number((await latest(url)).number)
    await expect(callNode(url, 'eth_getBalance', [rich, hex(head - 20)])).resolves.toBeDefined()
    await expect(callNode(url, 'eth_getBalance', [rich, hex(head - 21)])).rejects.toThrow('missing trie node')
    await expect(callNode(url, 'eth_getProof', [rich, [], 'latest'])).rejects.toThrow('-32601')
    await expect(callNode(url, 'eth_getBlockReceipts', ['latest'])).rejects.toThrow('Unauthorized')
    const batch = (calls: number) =>
      fetch(url, {
        method: 'POST',
        body: JSON.stringify(Array(calls).fill({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })),
        headers: { 'content-type': 'application/json' },
      }).then((response) => response.json())
    expect(await batch(2)).toHaveLength(2)
    expect(await batch(3)).toMatchObject({ error: { message: 'batch too large' } })
  })

  test('balanced alternates between two nodes', async () => {
    const url = await node({ kind: 'balanced', otherwise: { kind: 'lagging', blocks: 4 } })
    const heads = [0, 1, 2, 3].map(() => callNode(url, 'eth_blockNumber').then(Number))
    const [a = 0, b = 0] = [...new Set(await Promise.all(heads))].sort((x, y) => x - y)
    expect(b - a).toBe(4)
  })

  test('a lie may be limited to some methods', async () => {
    const url = await node({ kind: 'lying', only: ['eth_getBalance'] })
    const count = ['eth_getTransactionCount', [rich, 'latest']] as const
    expect(await callNode(url, ...count)).toBe(await callNode(chainUrl(), ...count))
    const balance = ['eth_getBalance', [rich, 'latest']] as const
    expect(await callNode(url, ...balance)).not.toBe(await callNode(chainUrl(), ...balance))
  })
})

test('viem follows a lagging node like any other', async () => {
  const url = await node('lagging')
  const client = createPublicClient({ transport: http(url), pollingInterval: 20 })
  const numbers: bigint[] = []
  const stop = client.watchBlocks({ onBlock: (block) => numbers.push(block.number ?? 0n), emitOnBegin: true })
  await until(() => numbers.length > 0)
  await callNode(chainUrl(), 'anvil_mine', ['0x1'])
  await until(() => numbers.length > 1)
  stop()
  expect(numbers[1]).toBe((numbers[0] ?? 0n) + 1n)
  const events = await client.getLogs({
    event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
    fromBlock: 0n,
  })
  expect(events.length).toBeGreaterThan(0)
})

test('an honest node returns the same fee history of a block after another block', async () => {
  const [early, late] = await nodes('honest', 'honest')
  const { number } = await latest(chainUrl())
  const history = (url = '') =>
    callNode<{ baseFeePerGas: string[] }>(url, 'eth_feeHistory', ['0x2', number, [60]])
  const before = await history(early)
  await callNode(chainUrl(), 'anvil_setNextBlockBaseFeePerGas', [hex(12_345)])
  await callNode(chainUrl(), 'anvil_mine', ['0x1'])
  const [after, next] = [await history(early), hex(12_345)]
  expect(after.baseFeePerGas.at(-1)).toBe(next)
  expect(after.baseFeePerGas.slice(0, -1)).toEqual(before.baseFeePerGas.slice(0, -1))
  await callNode(chainUrl(), 'anvil_mine', ['0x1'])
  expect(await history(late)).toEqual(after)
  expect((await history(chainUrl())).baseFeePerGas.at(-1), 'anvil itself').not.toBe(next)
})
