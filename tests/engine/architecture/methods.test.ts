import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { methods } from '../../../rpc-proxy/methods/table.ts'
import { root, within } from '../../architecture/support/sources.ts'

/** Methods that the engine itself calls or serves. They may be named, but their meaning stays in the table. */
const namedHere: Readonly<Record<string, readonly string[]>> = {
  'rpc-proxy/calls/dispatch.ts': ['eth_feeHistory', 'eth_getBlockReceipts', 'eth_getTransactionReceipt'],
  'rpc-proxy/calls/filter.ts': ['eth_getBlockByNumber', 'eth_getLogs'],
  'rpc-proxy/calls/send-and-wait.ts': ['eth_getTransactionCount', 'eth_getTransactionReceipt'],
  'rpc-proxy/calls/transaction-by-nonce.ts': ['eth_getBlockByNumber', 'eth_getTransactionCount'],
  'rpc-proxy/calls/subscribe.ts': ['eth_getBlockByHash'],
  'rpc-proxy/subscriptions/source.ts': [
    'eth_getFilterChanges',
    'eth_newBlockFilter',
    'eth_newFilter',
    'eth_uninstallFilter',
  ],
  'rpc-proxy/chain/genesis-check.ts': ['eth_getBlockByNumber'],
  'rpc-proxy/chain/head-evidence.ts': ['eth_blockNumber'],
  'rpc-proxy/proving/proof-round.ts': ['eth_getCode', 'eth_getProof'],
  'rpc-proxy/admission/caller.ts': [
    'eth_getLogs',
    'eth_newFilter',
    'eth_sendRawTransaction',
    'eth_subscribe',
  ],
  'rpc-proxy/calls/attempt.ts': ['eth_call'],
  'rpc-proxy/calls/send-transaction.ts': ['eth_getTransactionByHash', 'eth_sendRawTransaction'],
  'rpc-proxy/writes/transaction-round.ts': ['eth_sendRawTransaction'],
  'rpc-proxy/upstreams/post-calls.ts': ['eth_chainId'],
  'rpc-proxy/upstreams/node-capabilities.ts': ['eth_capabilities'],
  'rpc-proxy/filters/filters.ts': methods.filter((method) => /ilter/.test(method)),
}

test('all knowledge of a method is in its row: a new method is one row, and no other file names it', () => {
  const others = within('rpc-proxy').filter(({ path }) => path !== 'rpc-proxy/methods/table.ts')
  const named = others.flatMap(({ path }) => {
    const text = readFileSync(join(root, path), 'utf8')
    const found = methods.filter((method) => text.includes(`'${method}'`))
    return found.length === 0 ? [] : [[path, found.toSorted()] as const]
  })
  const allowed = Object.entries(namedHere).map(([path, names]) => [path, names.toSorted()] as const)
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(allowed))
})
