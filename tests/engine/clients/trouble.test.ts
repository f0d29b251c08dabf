import { createPublicClient, fallback, http } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { getBalance } from 'wagmi/actions'
import { tokenAbi } from '../../../demo/history.ts'
import { clientsAt, fresh, thrownBy } from './support/reads.ts'
import { chain, siteForOneFile } from './support/site.ts'
import { viemAt } from './support/viem.ts'

/** What users of each client see when a node hangs and without a quorum: the table in tests/engine/clients/results.md. */
const site = siteForOneFile({ nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })
afterEach(async () => {
  await Promise.all(site().nodes.nodes.map((node) => node.setFaultProfile('honest')))
})

const url = () => site().url()
const { ethers6, v5, wagmi, reads } = clientsAt(url)

test.each(Object.entries(reads))(
  '%s keeps reading while a node hangs, and the node is found out',
  async (_, read) => {
    const { nodes } = site()
    await read()
    await nodes.node('a').setFaultProfile('hanging')
    for (let time = 1; time <= 8; time += 1) expect(await read()).toBe(0n)
    nodes.node('a').clearRequests()
    for (let time = 1; time <= 3; time += 1) expect(await read()).toBe(0n)
    expect(nodes.node('a').callCount('eth_getBalance') + nodes.node('a').callCount('eth_call')).toBeLessThan(
      3,
    )
  },
)

describe('failed to meet quorum', () => {
  const twoErr = async () => {
    // The head is already known, so the errors are those of the reads, not of the first head look.
    await viemAt(url()).getBlockNumber()
    for (const name of ['b', 'c'])
      await site()
        .nodes.node(name)
        .setFaultProfile({ kind: 'erring', only: ['eth_getBalance', 'eth_call'] })
  }

  test('viem and wagmi throw it at once, without retries, and not as a revert', async () => {
    await twoErr()
    const client = viemAt(url())
    site().nodes.node('b').clearRequests()
    expect(await thrownBy(client.getBalance({ address: fresh() }))).toMatchObject({
      name: 'RpcRequestError',
      code: -32010,
      details: 'failed to meet quorum',
      data: { reason: 'silent', answer: expect.any(String) },
    })
    expect(site().nodes.node('b').callCount('eth_getBalance')).toBe(1)
    const read = {
      address: site().token,
      abi: tokenAbi,
      functionName: 'balanceOf',
      args: [fresh()],
    } as const
    for (const failing of [
      () => client.readContract(read),
      () => getBalance(wagmi(), { address: fresh() }),
    ]) {
      const thrown = await thrownBy(failing())
      expect(thrown).toMatchObject({ details: 'failed to meet quorum' })
      expect(thrown.walk((cause: { code?: number }) => cause.code !== undefined).code).toBe(-32010)
      expect(String(thrown)).not.toContain('revert')
    }
  })

  test("viem's fallback continues with the next endpoint", async () => {
    await twoErr()
    const client = createPublicClient({ chain, transport: fallback([http(url()), http(site().chainUrl)]) })
    expect(await client.getBalance({ address: fresh() })).toBe(0n)
  })

  test('ethers 6 throws it as its own error, in single calls and batches', async () => {
    await twoErr()
    const said = { code: 'UNKNOWN_ERROR', error: { code: -32010, message: 'failed to meet quorum' } }
    expect(await thrownBy(ethers6().getBalance(fresh()))).toMatchObject(said)
    const provider = ethers6()
    const [one] = await Promise.all([
      thrownBy(provider.getBalance(fresh())),
      thrownBy(provider.getBalance(fresh())),
    ])
    expect(one).toMatchObject(said)
  })

  test('ethers 5 keeps its code and message, and reports a failed call as an exception, as for any node', async () => {
    await twoErr()
    const said = { error: { code: -32010, message: 'failed to meet quorum' } }
    expect(await thrownBy(v5().getBalance(fresh()))).toMatchObject({ code: 'SERVER_ERROR', ...said })
    const call = { to: site().token, data: `0x70a08231${fresh().slice(2).padStart(64, '0')}` }
    expect(await thrownBy(v5().call(call))).toMatchObject({ code: 'CALL_EXCEPTION', error: said })
  })
})
