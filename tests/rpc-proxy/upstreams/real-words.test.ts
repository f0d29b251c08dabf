import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../rpc-proxy/runtime/clock.ts'
import { createPostCalls } from '../../../rpc-proxy/upstreams/post-calls.ts'
import { createRanges } from '../../../rpc-proxy/upstreams/ranges.ts'
import { availabilityRows } from './real-words/availability.ts'
import { executionRows } from './real-words/execution.ts'
import { logRows } from './real-words/logs.ts'
import { rateRows } from './real-words/rates.ts'
import { alone, asked, besideAnother, bodyOf, inWords, nowMs, type Row } from './real-words/row.ts'
import { simulationRows } from './real-words/simulation.ts'
import { transactionRows } from './real-words/transactions.ts'
import { transportRows } from './real-words/transport.ts'

const sections: Readonly<Record<string, readonly Row[]>> = {
  'limits of eth_getLogs': logRows,
  'rates and quotas': rateRows,
  'unavailable, pruned, not yet known': availabilityRows,
  'reverts and halts': executionRows,
  'refusals of a transaction': transactionRows,
  simulation: simulationRows,
  'HTTP and envelopes': transportRows,
}

const titleOf = ({ who, http = 200, code, message, body, retryAfter }: Row) =>
  [who, http, code, message ?? body, retryAfter].filter((part) => part !== undefined).join(', ')

for (const [section, rows] of Object.entries(sections))
  describe(section, () => {
    for (const row of rows)
      test(`${titleOf(row)} -> ${row.wanted}`, async () => {
        for (const ask of row.requests)
          expect([ask, inWords(await alone(row, ask))]).toEqual([ask, row.wanted])
        if (row.http !== undefined || row.body !== undefined) return
        for (const ask of row.requests.filter((each) => !asked[each].context.callerControlled)) {
          const [reply, other] = await besideAnother(row, ask)
          expect([ask, reply && inWords(reply)]).toEqual([ask, row.wanted])
          expect(other).toEqual({ kind: 'result', raw: '"0x7"' })
        }
      })
  })

describe('a refused range is split into the size that the message names', () => {
  const hinted = logRows.filter(({ takes }) => takes !== undefined)
  test.each(hinted.map((row) => [titleOf(row), row] as const))('%s', async (_, row) => {
    const takes = row.takes ?? 0
    const lengths: number[] = []
    const exchange = createPostCalls(
      { url: 'http://node.example', headers: {}, batchCallsMax: 1, answerBytesMax: 1 << 20 },
      {
        clock: { ...systemClock(), now: () => nowMs },
        async send({ body }) {
          const { id, params } = JSON.parse(body)
          const [{ fromBlock, toBlock }] = params
          lengths.push(Number(toBlock) - Number(fromBlock) + 1)
          return lengths.length === 1
            ? { status: row.http ?? 200, retryAfter: null, body: bodyOf(row, id) }
            : { status: 200, retryAfter: null, body: `{"jsonrpc":"2.0","id":${id},"result":[]}` }
        },
      },
    )
    const ask = createRanges(exchange, { now: () => nowMs })
    const params = JSON.stringify([{ fromBlock: '0x64', toBlock: `0x${(99 + takes * 10).toString(16)}` }])
    const reply = await ask({ ...asked.logs, params }, new AbortController().signal)
    expect(inWords(reply)).toBe('result')
    expect(lengths).toEqual([takes * 10, ...Array.from({ length: 10 }, () => takes)])
  })
})
