import { FetchRequest } from 'ethers'
import { afterEach, describe, expect, test } from 'vitest'
import { getBalance } from 'wagmi/actions'
import { clientsAt, fresh, thrownBy } from './support/reads.ts'
import { siteForOneFile } from './support/site.ts'
import { viemAt } from './support/viem.ts'

/** What users of each client see when the gateway is at its limits: the table in tests/engine/clients/results.md. */
const inFlightMax = 2
const site = siteForOneFile({
  nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  config: {
    // One call a second, so that a spent budget lasts for a whole second of the host's clock.
    rate: { costPerMinute: 1_000_000, siteCallsPerSecond: 1, trustedHops: 1 },
    limits: { inFlightMax },
  },
})
afterEach(async () => {
  await Promise.all(site().nodes.nodes.map((node) => node.setFaultProfile('honest')))
})

interface PostOptions {
  readonly caller?: string
  readonly signal?: AbortSignal | null
}

const url = () => site().url()
const { ethers6, v5, wagmi, reads } = clientsAt(url)
const post = (calls: unknown, { caller = '192.0.2.1', signal = null }: PostOptions = {}) =>
  fetch(url(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': caller },
    body: JSON.stringify(calls),
    signal,
  })
const call = (method: string, params: readonly unknown[] = []) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})
/** Spends the site budget of one second. */
const spend = () => post(call('eth_chainId'))
/** Keeps spending the refilled budget during the test, which would otherwise get it on a slow machine. */
async function whileSpent<T>(act: () => Promise<T>): Promise<T> {
  await spend()
  let isOver = false
  const asking = act().finally(() => {
    isOver = true
  })
  while (!isOver) await spend()
  return asking
}

describe('too many requests', () => {
  test.each(Object.entries(reads))('%s waits, retries and gets its answer', async (_, read) => {
    await spend()
    expect(await read()).toBe(0n)
  })

  test('the response is a 429 with Retry-After', async () => {
    await expect
      .poll(async () => {
        await spend()
        const { status, headers } = await post(call('eth_chainId'))
        return [status, headers.get('retry-after')]
      })
      .toEqual([429, '1'])
  })

  test('viem without retries throws it', async () => {
    const once = viemAt(url(), { retryCount: 0 })
    await expect
      .poll(async () => {
        await spend()
        return once.getChainId().catch(({ name, code }) => ({ name, code }))
      })
      .toEqual({ name: 'LimitExceededRpcError', code: -32005 })
  })

  test('ethers 6 with default settings retries twelve times at once and fails', async () => {
    await expect
      .poll(
        () =>
          whileSpent(() =>
            ethers6(new FetchRequest(url()))
              .getBalance(fresh())
              .catch(({ code, shortMessage }) => ({ code, shortMessage })),
          ),
        { timeout: 240_000 },
      )
      .toEqual({ code: 'SERVER_ERROR', shortMessage: 'exceeded maximum retry limit' })
  })

  test('one call of a batch over the limit is an error of that call only, which ethers 6 does not retry', async () => {
    await expect
      .poll(async () => {
        const provider = ethers6()
        const both = await Promise.allSettled([provider.getBalance(fresh()), provider.getBalance(fresh())])
        return both.flatMap((one) => (one.status === 'rejected' ? [one.reason.error] : []))
      })
      .toEqual([{ code: -32005, message: 'too many requests' }])
  })
})

describe('overloaded', () => {
  /** Fills the gateway with requests to hanging nodes, until the end of the test. */
  async function whileFull(act: () => Promise<void>): Promise<void> {
    const departure = new AbortController()
    const hanging = { kind: 'hanging', only: ['eth_getCode'] } as const
    await Promise.all(site().nodes.nodes.map((node) => node.setFaultProfile(hanging)))
    // One caller cannot hold all places.
    const fill = async (turn: number) => {
      const from = { caller: `198.51.100.${turn}`, signal: departure.signal }
      // The spent budget is refilled within a second.
      while ((await post(call('eth_getCode', [fresh(), 'latest']), from)).status === 429);
    }
    const filling = Array.from({ length: inFlightMax }, (_, turn) => fill(turn).catch(() => {}))
    await expect.poll(async () => (await post({})).status).toBe(503)
    try {
      await act()
    } finally {
      departure.abort()
      await Promise.all(filling)
      await expect.poll(async () => (await post({})).status).toBe(400)
    }
  }

  test('viem and wagmi retry three times before they throw', () =>
    whileFull(async () => {
      const failing = [
        viemAt(url()).getBalance({ address: fresh() }),
        getBalance(wagmi(), { address: fresh() }),
      ]
      for (const thrown of await Promise.all(failing.map(thrownBy))) {
        expect(thrown).toMatchObject({ details: 'overloaded' })
        expect(thrown.walk((cause: { code?: number }) => cause.code !== undefined).code).toBe(-32005)
      }
    }))

  test('viem with batches cannot parse the refusal of an unread batch', () =>
    whileFull(async () => {
      const batching = viemAt(url(), { batch: true, retryCount: 0 })
      const thrown = await thrownBy(batching.getBalance({ address: fresh() }))
      expect(thrown.name).toBe('UnknownRpcError')
    }))

  test('ethers throws at once', () =>
    whileFull(async () => {
      expect(await thrownBy(ethers6().getBalance(fresh()))).toMatchObject({
        code: 'SERVER_ERROR',
        shortMessage: 'server response 503 Service Unavailable',
      })
      expect(await thrownBy(v5().getBalance(fresh()))).toMatchObject({ code: 'SERVER_ERROR', status: 503 })
    }))
})
