import { setImmediate } from 'node:timers/promises'
import { JsonRpcApiProvider, type JsonRpcPayload } from 'ethers'
import { ethers as ethers5 } from 'ethers-v5'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callText, post } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { blockAt } from '../../support/scripted-chain.ts'
import { worldOf } from '../../support/world.ts'

/**
 * `on('pending')` of both ethers versions, directly with the engine. ethers 6 accepts a refused filter, prints an error at
 * every block, and ends the process with an unhandled rejection when the last listener is removed.
 */
const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => void process.on('unhandledRejection', note))
afterEach(() => {
  process.off('unhandledRejection', note)
  expect(unhandled.splice(0)).toEqual([])
  vi.restoreAllMocks()
})

const gatewayWorld = () =>
  worldOf(
    [1, 2, 3].map(() => ({ reply: says(blockAt(1000)) })),
    { chainId: 5, quorum: 2 },
  )

test('ethers 6 listens for pending transactions, gets none, and stops without an error', async () => {
  const world = gatewayWorld()
  const answered: string[] = []
  class Provider extends JsonRpcApiProvider {
    async _send(payload: JsonRpcPayload | JsonRpcPayload[]) {
      const calls = Array.isArray(payload) ? payload : [payload]
      return Promise.all(
        calls.map(async ({ id, method, params }) => {
          const { body } = await post(world, callText(method, params as readonly unknown[], id))
          answered.push(method)
          return JSON.parse(body)
        }),
      )
    }
  }
  const provider = new Provider(5, { staticNetwork: true, cacheTimeout: -1, pollingInterval: 20 })
  provider._start()
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  const heard = vi.fn()
  await provider.on('pending', heard)
  await expect.poll(() => answered).toContain('eth_getFilterChanges')
  await provider.off('pending', heard)
  // What is not answered when it is destroyed is rejected, and nobody listens to that.
  await expect.poll(() => answered).toContain('eth_uninstallFilter')
  provider.destroy()
  await setImmediate()
  expect(heard).not.toHaveBeenCalled()
  expect(printed).not.toHaveBeenCalled()
})

test('ethers 5 listens for pending transactions without breaking anything else', async () => {
  const world = gatewayWorld()
  class Provider extends ethers5.providers.JsonRpcProvider {
    override async send(method: string, params: unknown[]) {
      const { result, error } = JSON.parse((await post(world, callText(method, params))).body)
      if (error !== undefined) throw new Error(error.message)
      return result
    }
  }
  const provider = new Provider('http://localhost', 5)
  const heard = vi.fn()
  provider.on('pending', heard)
  expect(await provider.getBlockNumber()).toBe(1000)
  provider.removeAllListeners()
  expect(heard).not.toHaveBeenCalled()
})
