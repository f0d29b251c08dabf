import { describe, expect, test } from 'vitest'
import { classify } from '../../../rpc-proxy/upstreams/classify.ts'
import { availabilityRows } from './real-words/availability.ts'
import { executionRows } from './real-words/execution.ts'
import { logRows } from './real-words/logs.ts'
import { rateRows } from './real-words/rates.ts'
import { asked, inWords } from './real-words/row.ts'
import { simulationRows } from './real-words/simulation.ts'
import { transactionRows } from './real-words/transactions.ts'

/** How node implementations put a revert reason into `message`, and sometimes into `data`. */
const framings: Readonly<Record<string, (reason: string) => { message: string; data?: unknown }>> = {
  'geth, reth, erigon, nitro, bor': (reason) => ({ message: `execution reverted: ${reason}` }),
  'geth, an access list': (reason) => ({
    message: `failed to apply transaction: 0xab err: execution reverted: ${reason}`,
  }),
  besu: (reason) => ({ message: `Execution reverted (${reason})` }),
  nethermind: (reason) => ({ message: `VM execution error.`, data: `Reverted ${reason}` }),
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

const reasons = [
  ...new Set([
    ...[logRows, rateRows, availabilityRows, executionRows, transactionRows, simulationRows].flatMap((rows) =>
      rows.flatMap(({ message }) => message ?? []),
    ),
    'quota exceeded',
    'too many requests, retry in 10m0s',
    'block not found',
    'Unknown block',
    'nonce too low',
    'already known',
    'missing trie node',
    'method not supported',
    'unauthorized',
    'batch too large',
    'Unknown block") error: (',
  ]),
]

describe.each(Object.entries(framings))('a revert reason as %s sends it', (_, frame) => {
  test.each([3, -32000, -32015, -32603])('with code %d, is only the reason of a revert', (code) => {
    for (const reason of reasons)
      for (const ask of ['call', 'estimate', 'simulate'] as const) {
        const reply = classify({ data: undefined, ...frame(reason), code }, asked[ask].context)
        expect([reason, inWords(reply)]).toEqual([reason, 'revert 0x'])
      }
  })

  test.each([3, -32000, -32015, -32603])(
    'with code %d, is no verdict on a transaction and does not rest a node',
    (code) => {
      for (const reason of reasons) {
        const reply = classify({ data: undefined, ...frame(reason), code }, asked.send.context)
        expect([reason, inWords(reply)]).toEqual([reason, 'cannot:execution'])
      }
    },
  )
})

test('a reason is not taken for an error message, even with the text of an unknown block error', () => {
  const data = '0x08c379a0'
  expect(inWords(classify({ code: 3, message: 'Unknown block', data }, asked.call.context))).toBe(
    `revert ${data}`,
  )
})
