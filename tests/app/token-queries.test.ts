import { expect, test } from 'vitest'
import type { Reading } from '#lib/page/reading.ts'
import { createQueries } from '#lib/wallet/query-cache.ts'
import { eventsQuery } from '../../app/token/token-queries.ts'
import { agreed, refused } from '../support/readings.ts'

const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const address = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'

/** Polls the events once for each pair of replies: to the head and to the two halves of the logs. */
async function poll(...replies: readonly (readonly [head: Reading, ...logs: Reading[]])[]) {
  const queries = createQueries()
  let events: unknown
  for (const [head, ...logs] of replies)
    events = await queries.fetchQuery(
      eventsQuery(async (_, [call]) => (call?.method === 'eth_blockNumber' ? [head] : logs), {
        chainId: 137,
        address,
        owner,
      }),
    )
  return events
}

const head = agreed('0x64')

test('the events of a token stay when a later poll fails', async () => {
  const none = agreed([])
  const known = { value: [] }
  expect(await poll([head, none, none], [head, none, refused('silent')])).toMatchObject({ known })
  expect(await poll([head, none, none], [refused('heads')])).toMatchObject({ known })
})

test('without agreement on the head, or on one half of the events, the page says why it has none of a token', async () => {
  expect(await poll([refused('heads')])).toMatchObject({ known: null, why: 'heads' })
  expect(await poll([head, agreed([]), refused('silent')])).toMatchObject({ known: null, why: 'silent' })
})
