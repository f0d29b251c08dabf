import { expect, test } from 'vitest'
import { parseConfig } from '#rpc-proxy'
import { begin, until } from '../support/ask.ts'
import { late, says } from '../support/replies.ts'
import { worldOf } from '../support/world.ts'

const node = (name: string) => ({ name, url: `http://${name}.test/` })
const asking = (quorum: number) =>
  parseConfig({ chains: [{ id: 1, quorum, nodes: ['a', 'b', 'c'].map(node) }], rate: null }, {})
const three = (script: object) => [script, script, script]

test('a call under the new configuration joins none that began under the old, even where that asks later', async () => {
  // Both wait for a head first, so that the older call puts its question after the reload.
  const one = worldOf(three({ reply: late(100, says('0x1')) }), { quorum: 1 })
  const before = begin(one, 'eth_getBalance')
  await one.clock.advance(0)
  one.gateway.reload(asking(3))
  const after = begin(one, 'eth_getBalance')
  const [old, fresh] = [await until(one, before), await until(one, after)]
  expect(old.headers).toMatchObject({ 'x-quorate-agreement': '1/1/3' })
  expect(fresh.headers).toMatchObject({ 'x-quorate-cache': 'miss', 'x-quorate-agreement': '3/3/3' })
})
