import { afterEach, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../../../demo/anvil.ts'
import { callNode } from '../../../demo/json-rpc.ts'
import { startKeeper } from '../../../demo/keeper.ts'
import { type Asking, startAsking } from '../zoo/support/gateway.ts'

/** A development chain, which is reset while a gateway reads it. */
const chainId = 31_337
const account = `0x${'ac'.repeat(20)}`
const emitter = `0x${'e1'.repeat(20)}`
/** PUSH0 PUSH0 LOG0 */
const emitsOneLog = '0x5f5fa0'
const settings = { headMaxAgeMs: 500 }
/** Looks need calls, and a pause between two looks counts for at most a third of that time. */
const polling = { interval: 100, timeout: 120_000 }

interface Log {
  readonly blockNumber: string
  readonly removed: boolean
}

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function started() {
  const keeper = startKeeper()
  let anvil = await startAnvil({ id: chainId, blockTimeS: 3600, port: 0 }, keeper)
  ends.push(
    () => keeper.close(),
    () => anvil.stop(),
  )
  const gateway = await startAsking({
    chain: { id: chainId, url: anvil.url },
    faultProfiles: ['honest', 'honest', 'honest'],
    settings,
  })
  ends.push(gateway.stop)
  return {
    gateway,
    url: anvil.url,
    reset: () => callNode(anvil.url, 'anvil_reset', []),
    async restart() {
      const { port } = anvil
      await anvil.stop()
      anvil = await startAnvil({ id: chainId, blockTimeS: 3600, port }, keeper)
    },
  } satisfies { gateway: Asking; url: Anvil['url']; reset: unknown; restart: unknown }
}

/** Mines empty blocks, then one with a log in it, and returns the transaction. */
async function mine(url: string, { blocks, balance }: { blocks: number; balance: string }): Promise<string> {
  await callNode(url, 'anvil_setCode', [emitter, emitsOneLog])
  await callNode(url, 'anvil_setBalance', [account, balance])
  if (blocks > 1) await callNode(url, 'anvil_mine', [`0x${(blocks - 1).toString(16)}`])
  const [from] = await callNode<readonly string[]>(url, 'eth_accounts')
  const hash = await callNode<string>(url, 'eth_sendTransaction', [{ from, to: emitter, gas: '0x186a0' }])
  await callNode(url, 'anvil_mine', ['0x1'])
  return hash
}

describe.each(['reset', 'restart'] as const)('an anvil after its %s', (how) => {
  test('is followed to its lower head, without answers from the old chain', async () => {
    const { gateway, url, ...chain } = await started()
    const result = async <Result>(method: string, ...params: readonly unknown[]) => {
      const { result: found, error } = await gateway.ask(method, params)
      if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
      return found as Result
    }
    const head = async () => Number((await gateway.ask('eth_blockNumber', [])).result)
    const id = await result<string>('eth_newFilter', { address: emitter })
    const changes = async () =>
      (await result<readonly Log[]>('eth_getFilterChanges', id)).map(
        ({ blockNumber, removed }) => `${removed ? '-' : '+'}${Number(blockNumber)}`,
      )

    const old = await mine(url, { blocks: 300, balance: '0xa' })
    await expect.poll(head, polling).toBe(300)
    const oldHash = (await result<{ hash: string }>('eth_getBlockByNumber', '0x3', false)).hash
    expect(await result('eth_getBalance', account, 'latest')).toBe('0xa')
    expect(await result('eth_getTransactionReceipt', old)).toMatchObject({ blockNumber: '0x12c' })
    expect(await changes()).toEqual(['+300'])

    await chain[how]()
    await mine(url, { blocks: 4, balance: '0xb' })
    await expect.poll(head, polling).toBe(4)

    expect(await result('eth_getBalance', account, 'latest')).toBe('0xb')
    const own = await callNode<{ hash: string }>(url, 'eth_getBlockByNumber', ['0x3', false])
    expect(await result('eth_getBlockByNumber', '0x3', false)).toMatchObject({ hash: own.hash })
    expect(own.hash).not.toBe(oldHash)
    expect(await result('eth_getBlockByHash', oldHash, false)).toBeNull()
    expect(await result('eth_getTransactionReceipt', old)).toBeNull()
    expect(await changes()).toEqual(['-300'])
    await mine(url, { blocks: 1, balance: '0xc' })
    await expect.poll(head, polling).toBe(5)
    expect(await changes()).toEqual(['+5'])
    expect(await result('eth_getBalance', account, 'latest')).toBe('0xc')
  })
})
