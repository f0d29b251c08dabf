import { expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { worldOf } from '../../support/world.ts'

const nodes = [says('0x2'), says('0x1'), says('0x1')]
const full = () => {
  throw new Error('no space left on device')
}

test.each<[string, () => void]>([
  ['throws', full],
  ['returns a promise that rejects', async () => full()],
])('callers are answered when the host’s observer %s, and the failures are counted', async (_, observe) => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const world = worldOf(nodes, { quorum: 2, observe })
  // A dissent is emitted after the call was answered, where no caller would catch an error.
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: '0x1' })
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: '0x3e8' })
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
  const failed = world.gateway
    .snapshot()
    .counters.filter(({ name }) => name === 'quorate_observer_errors_total')
    .map(({ labels, value }) => [labels.event, value])
  const reported: Record<string, number> = {}
  for (const { type } of world.events) reported[type] = (reported[type] ?? 0) + 1
  expect(Object.fromEntries(failed)).toEqual(reported)
  expect(reported).toMatchObject({ request: 2, dissent: 1 })
})
