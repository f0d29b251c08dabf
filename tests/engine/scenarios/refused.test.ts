import { expect, test } from 'vitest'
import { callOf, post } from '../../support/ask.ts'
import { says } from '../../support/replies.ts'
import { worldOf } from '../../support/world.ts'

const list = (space: string, names: string) => names.split(' ').map((name) => `${space}_${name}`)

/** Methods of known implementations that a public gateway must not forward: keys, accounts, administration, tracing, test chains. */
const dangerous = [
  ...list(
    'eth',
    'sign signTransaction sendTransaction signTypedData signTypedData_v3 signTypedData_v4 coinbase',
  ),
  ...list('eth', 'mining hashrate getWork submitWork submitHashrate'),
  ...list(
    'eth',
    'requestAccounts pendingTransactions resend fillTransaction decrypt getEncryptionPublicKey protocolVersion',
  ),
  ...list(
    'eth',
    'getCompilers compileSolidity sendRawTransactionConditional sendBundle callBundle cancelBundle callMany',
  ),
  ...list(
    'personal',
    'sign ecRecover unlockAccount lockAccount importRawKey newAccount listAccounts sendTransaction',
  ),
  ...list('personal', 'listWallets deriveAccount openWallet signTransaction initializeWallet unpair'),
  ...list(
    'admin',
    'addPeer removePeer addTrustedPeer peers nodeInfo datadir startHTTP stopHTTP startRPC startWS stopWS',
  ),
  ...list('admin', 'exportChain importChain sleep sleepBlocks clearTxpool'),
  ...list(
    'debug',
    'traceTransaction traceCall traceBlock traceBlockByNumber traceBlockByHash getRawBlock getRawHeader',
  ),
  ...list(
    'debug',
    'getRawReceipts getRawTransaction storageRangeAt accountRange dumpBlock setHead gcStats memStats',
  ),
  ...list(
    'debug',
    'startCPUProfile stopCPUProfile writeMemProfile chaindbProperty chaindbCompact vmodule verbosity',
  ),
  ...list(
    'debug',
    'printBlock preimage getBadBlocks standardTraceBlockToFile intermediateRoots freeOSMemory',
  ),
  ...list(
    'trace',
    'block call callMany filter get rawTransaction replayTransaction replayBlockTransactions transaction',
  ),
  ...list('miner', 'start stop setEtherbase setGasPrice setGasLimit setExtra setRecommitInterval'),
  ...list(
    'engine',
    'newPayloadV1 newPayloadV4 forkchoiceUpdatedV1 forkchoiceUpdatedV3 getPayloadV1 exchangeCapabilities',
  ),
  ...list('txpool', 'content contentFrom inspect status'),
  ...list('parity', 'setChain addReservedPeer pendingTransactions allTransactions exportAccount'),
  ...list('clique', 'propose discard getSnapshot getSigners'),
  ...list('bor', 'getAuthor getRootHash getSnapshot'),
  ...list('erigon', 'forks getHeaderByNumber blockNumber'),
  ...list(
    'anvil',
    'setBalance setCode setNonce setStorageAt mine impersonateAccount reset dumpState loadState setRpcUrl',
  ),
  ...list('hardhat', 'setBalance setCode mine reset impersonateAccount setStorageAt'),
  ...list('evm', 'mine snapshot revert increaseTime setNextBlockTimestamp setAutomine'),
  ...list('wallet', 'addEthereumChain switchEthereumChain watchAsset requestPermissions'),
  ...list('rpc', 'modules discover'),
  ...list('les', 'addBalance'),
  ...list('shh', 'post newKeyPair'),
  ...list('db', 'putString getHex'),
  ...list('ots', 'getApiLevel'),
]

/** Misspelled names of served methods. */
const disguised = ['eth_sendRawTransaction', 'eth_getBalance', 'eth_sign', 'debug_traceCall'].flatMap(
  (name) => [
    ...[name.toUpperCase(), name.toLowerCase() === name ? `${name}X` : name.toLowerCase()],
    ...[` ${name}`, `${name} `, `${name}\n`, `${name}\u0000`, `\ufeff${name}`, `${name}\u200b`],
    ...[
      name.replace('e', '\u0435'),
      name.replace('_', '\uff3f'),
      name.replace('_', '.'),
      name.replace('_', '/'),
    ],
    ...[`${name}?`, `../${name}`, `${name}#${name}`, `${name},eth_call`],
  ],
)
const inherited = [
  'toString',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'valueOf',
  'then',
  '_OTHER',
  'eth_',
  '_',
  '1',
]
const names = [...new Set([...dangerous, ...disguised, ...inherited])]

test(`${names.length} forbidden methods are refused, and no node is asked`, async () => {
  expect(names.length).toBeGreaterThan(200)
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

test('in one batch as well', async () => {
  const world = worldOf([says('0x1'), says('0x1')])
  for (let from = 0; from < names.length; from += 100) {
    const some = names.slice(from, from + 100)
    const { body } = await post(
      world,
      some.map((name, id) => callOf(name, [], id)),
    )
    const text = JSON.parse(body) as { id: number; error: { code: number } }[]
    expect(text.map(({ id, error }) => [id, error.code])).toEqual(some.map((_, id) => [id, -32601]))
  }
  expect(world.requests).toEqual([])
})
