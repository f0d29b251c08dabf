import { expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { worldOf } from '../../support/world.ts'
import { fastestMs, readers, strings } from '../support/long-texts.ts'

/** Far above the time of any reader on a slow machine, and far below that of a backtracking pattern. */
const msMax = 100
const tries = { tries: 40, enoughMs: msMax }

test.each(Object.entries(readers))('%s of a hundred thousand characters is read quickly', (_what, read) => {
  const slow = strings
    .map((text) => [text.slice(0, 12), text.slice(-3), fastestMs(read(text), tries)] as const)
    .filter(([, , ms]) => ms > msMax)
  expect(slow).toEqual([])
})

test('so are the headers of a request', async () => {
  const world = worldOf([says('0x1')])
  for (const text of strings) {
    const headers = {
      traceparent: text,
      'content-type': `application/json${text}`,
      'x-quorate-explain': text,
    }
    await rpc(world, 'eth_chainId', [], { headers })
    await rpc(world, 'eth_chainId', [], { path: `/api/rpc/${text}` })
    const fastest = fastestMs(
      () => rpc(world, 'eth_chainId', [], { headers, path: `/api/rpc/${text}` }),
      tries,
    )
    expect([text.slice(0, 12), fastest <= msMax]).toEqual([text.slice(0, 12), true])
  }
})
