import { describe, expect, test } from 'vitest'
import { type ClientError, wordsOf } from '../../../../demo/nodes/clients/error-texts.ts'
import { clients } from '../../../../demo/nodes/clients/reply-format.ts'
import { systemClock } from '../../../../rpc-proxy/runtime/clock.ts'
import { classify } from '../../../../rpc-proxy/upstreams/classify.ts'
import { LogRanges } from '../../../../rpc-proxy/upstreams/ranges.ts'
import { type CorpusCall, corpusCalls, type ErrorRow, errorRows, inWords } from '../../corpus/errors.ts'
import { nodeServing, resultOf, type Serve } from '../../support/post-calls.ts'

/** Twelve hours before midnight. */
const nowMs = Date.UTC(2026, 10, 22, 12)
const { signal } = new AbortController()

function bodyOf({ body, code, message, data }: ErrorRow, id: number): string {
  if (body !== undefined) return body.replaceAll('ID', String(id))
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
}

const callsTo = (batchCallsMax: number, serve: Serve) =>
  nodeServing(serve, { batchCallsMax, clock: { ...systemClock(), now: () => nowMs } }).send

/** A node whose replies have these bodies, by the ids of the calls. */
function nodeWith({ http = 200, retryAfter }: ErrorRow, answer: (ids: readonly number[]) => string) {
  const send = callsTo(2, (calls) => ({
    ...{ status: http, retryAfter: retryAfter ?? null },
    body: answer(calls.map(({ id }) => id)),
  }))
  return (call: CorpusCall) => send({ ...corpusCalls[call], params: '[]' }, signal)
}

const titleOf = ({ who, http = 200, code, message, body, retryAfter }: ErrorRow) =>
  [who, http, code, message ?? body, retryAfter].filter((part) => part !== undefined).join(', ')

for (const [section, rows] of Object.entries(errorRows))
  describe(section, () => {
    test.each(rows.map((row) => [titleOf(row), row.result, row] as const))('%s -> %s', async (_, __, row) => {
      for (const call of row.calls) {
        const alone = nodeWith(row, ([id = 0]) => bodyOf(row, id))
        expect([call, inWords(await alone(call))]).toEqual([call, row.result])
        // Caller-controlled work is never batched.
        if (row.http !== undefined || row.body !== undefined || corpusCalls[call].context.callerControlled)
          continue
        const batched = nodeWith(
          row,
          ([first = 0, id = 0]) => `[${bodyOf(row, first)},${resultOf({ id }, '"0x7"')}]`,
        )
        const [reply, other] = await Promise.all([batched(call), batched('hash')])
        expect([call, inWords(reply)]).toEqual([call, row.result])
        expect(other).toEqual({ kind: 'result', raw: '"0x7"' })
      }
    })
  })

describe('a refused range is split into the size that the message names', () => {
  const rows = Object.values(errorRows).flat()
  const hinted = rows.flatMap((row) => (row.takes === undefined ? [] : [{ row, takes: row.takes }]))
  test.each(hinted.map((each) => ({ ...each, title: titleOf(each.row) })))(
    '$title',
    async ({ row, takes }) => {
      const lengths: number[] = []
      const exchange = callsTo(1, ([sent], { body }) => {
        const [{ fromBlock, toBlock }] = JSON.parse(body).params
        lengths.push(Number(toBlock) - Number(fromBlock) + 1)
        if (lengths.length > 1) return { body: resultOf(sent!, '[]') }
        return { status: row.http ?? 200, body: bodyOf(row, sent!.id) }
      })
      const ask = new LogRanges(exchange, { now: () => nowMs }).send
      const params = JSON.stringify([{ fromBlock: '0x64', toBlock: `0x${(99 + takes * 10).toString(16)}` }])
      expect(inWords(await ask({ ...corpusCalls.logs, params }, signal))).toBe('result')
      expect(lengths).toEqual([takes * 10, ...Array.from({ length: 10 }, () => takes)])
    },
  )
})

/** How clients put a revert reason into `message`, and sometimes into `data`. */
const framings: Readonly<Record<string, (reason: string) => { message: string; data?: unknown }>> = {
  'geth, reth, erigon, nitro, bor': (reason) => ({ message: `execution reverted: ${reason}` }),
  'geth, an access list': (reason) => ({
    message: `failed to apply transaction: 0xab err: execution reverted: ${reason}`,
  }),
  besu: (reason) => ({ message: `Execution reverted (${reason})` }),
  nethermind: (reason) => ({ message: 'VM execution error.', data: `Reverted ${reason}` }),
  'nethermind, newer': (reason) => ({
    message: `err: execution reverted: ${reason} (supplied gas 30000000)`,
  }),
  anvil: (reason) => ({ message: `execution reverted: revert: ${reason}` }),
  'hardhat, ganache': (reason) => ({
    message: `VM Exception while processing transaction: reverted with reason string '${reason}'`,
  }),
  'older ganache': (reason) => ({ message: `VM Exception while processing transaction: revert ${reason}` }),
  reth: (reason) => ({ message: `EVM error: Revert(${reason})` }),
  metamask: (reason) => ({ message: `Internal JSON-RPC error: execution reverted: ${reason}` }),
}

test.each(Object.entries(framings))(
  'a revert reason is never taken for an error of the node, as %s sends it',
  (_, frame) => {
    const messages = Object.values(errorRows).flatMap((rows) => rows.flatMap(({ message }) => message ?? []))
    const reasons = [...new Set([...messages, 'Unknown block") error: (', 'retry in 10m0s'])]
    for (const code of [3, -32000, -32015, -32603])
      for (const reason of reasons)
        for (const [call, result] of [
          ['call', 'revert 0x'],
          ['estimate', 'revert 0x'],
          ['simulate', 'revert 0x'],
          // No verdict on a transaction, and no fault of the node.
          ['send', 'cannot:execution'],
        ] as const) {
          const reply = classify({ data: undefined, ...frame(reason), code }, corpusCalls[call].context)
          if (inWords(reply) !== result) expect([code, reason, call, inWords(reply)]).toEqual([result])
        }
  },
)

test('demo nodes of every client have words for all that one of them says', () => {
  const rows = Object.values(errorRows).flatMap((all) => all.flatMap(({ kinds = [] }) => kinds))
  const kinds = [...new Set(rows.map((kind) => kind.split(' ')[0]))]
  expect(kinds).toHaveLength(13)
  for (const client of clients)
    for (const kind of kinds) expect(wordsOf(client, { kind } as ClientError)).toHaveProperty('message')
})

test('deeply nested data is not followed', () => {
  let data: unknown = '0xaa'
  for (let depth = 0; depth < 10_000; depth++) data = { data, originalError: data }
  const reply = classify({ code: 3, message: 'execution reverted', data }, corpusCalls.call.context)
  expect(reply).toEqual({ kind: 'reverted', data: '0x' })
})

test('no text of a node is returned, but for that of an error which nothing explains', () => {
  const canary = 'canary <script>'
  for (const { context } of Object.values(corpusCalls))
    for (const message of ['execution reverted', 'insufficient funds', 'header not found', 'pruned', 'x']) {
      const reply = classify({ code: 3, message: `${message} ${canary}`, data: canary }, context)
      const { unknown, ...rest } = { unknown: undefined, ...reply }
      expect(JSON.stringify(rest)).not.toContain('canary')
      expect([undefined, { code: 3, message: `${message} ${canary}` }]).toContainEqual(unknown)
    }
})
