import { expect, test } from 'vitest'
import { callOf, post } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { worldOf } from '../../support/world.ts'

/** Methods of known implementations that a public gateway must not forward. That the table has only eth, net and web3 is its own test. */
const ofEth = [
  'sign signTransaction sendTransaction signTypedData_v4 coinbase mining hashrate getWork submitWork',
  'requestAccounts pendingTransactions resend fillTransaction decrypt getEncryptionPublicKey',
  'protocolVersion compileSolidity sendRawTransactionConditional sendBundle callBundle callMany',
]
const ofOthers = [
  'personal_sign admin_addPeer debug_traceCall trace_filter miner_start engine_newPayloadV4 txpool_content',
  'parity_setChain clique_propose bor_getAuthor erigon_forks anvil_setBalance hardhat_mine evm_mine',
  'wallet_watchAsset rpc_modules les_addBalance shh_post db_getHex ots_getApiLevel',
]
const words = (lines: readonly string[]) => lines.join(' ').split(' ')
const dangerous = [...words(ofEth).map((name) => `eth_${name}`), ...words(ofOthers)]

/** Misspelled names of served methods. */
const disguised = ['eth_sendRawTransaction', 'eth_getBalance', 'eth_sign', 'debug_traceCall'].flatMap(
  (name) => [
    ...[name.toUpperCase(), name.toLowerCase() === name ? `${name}X` : name.toLowerCase()],
    ...[` ${name}`, `${name} `, `${name}\n`, `${name}\u0000`, `\ufeff${name}`, `${name}\u200b`],
    ...[name.replace('e', '\u0435'), ...['\uff3f', '.', '/'].map((dash) => name.replace('_', dash))],
    ...[`${name}?`, `../${name}`, `${name}#${name}`, `${name},eth_call`],
  ],
)
const inherited = words(['toString constructor __proto__ hasOwnProperty valueOf then _OTHER eth_ _ 1'])
const names = [...new Set([...dangerous, ...disguised, ...inherited])]

test(`${names.length} forbidden methods are refused, and no node is asked`, async () => {
  const world = worldOf([says('0x1'), says('0x1')])
  for (const name of names) {
    const { status, body } = await post(world, callOf(name, []))
    expect([name, status, JSON.parse(body)]).toEqual([
      name,
      200,
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: expect.stringContaining('does not exist') } },
    ])
  }
  expect(world.requests).toEqual([])
})
