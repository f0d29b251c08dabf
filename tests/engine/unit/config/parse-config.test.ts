// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration itself uses the syntax ${NAME}.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError, parseConfig } from '../../../../rpc-proxy/config/parse-config.ts'

type Fields = Record<string, unknown>

const node = (name: string, fields: Fields = {}) => ({ name, url: `http://${name}.test/`, ...fields })
const chain = (fields: Fields = {}) => ({ id: 137, nodes: [node('a'), node('b'), node('c')], ...fields })
const parsed = (fields: Fields = {}, env: Record<string, string> = {}) =>
  parseConfig({ chains: [chain(fields)] }, env).chains[0]!
const parsedNode = (fields: Fields, env: Record<string, string> = {}) =>
  parsed({ nodes: [node('a', fields)] }, env).nodes[0]!

function faultsOf(value: unknown, env: Record<string, string> = {}): readonly string[] {
  try {
    parseConfig(value, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}
const chainFaults = (fields: Fields) => faultsOf({ chains: [chain(fields)] })
const nodeFaults = (fields: Fields, env: Record<string, string> = {}) =>
  faultsOf({ chains: [chain({ nodes: [node('a', fields)] })] }, env)

describe('defaults', () => {
  // The other defaults are those of docs/configuration.md, which is written from them.
  test('id, name and url are enough', () => {
    expect(
      parseConfig({ chains: [{ id: 10, nodes: [{ name: 'a', url: 'http://a.test' }] }] }, {}),
    ).toMatchObject({
      chains: [
        {
          quorum: 0.5,
          total: 1,
          protect: { policy: 'standard', all: false, methods: [], contracts: [], operatorsMin: 3 },
          publicUrls: [],
          nodes: [{ stallMs: 750, operator: 'a', headers: {} }],
        },
      ],
      methods: { deny: [] },
      callers: [],
    })
  })

  test('rate null is off', () => {
    expect(parseConfig({ chains: [chain()], rate: null }, {}).rate).toBeNull()
  })

  test('a denied method must be a served one, so that a typo cannot leave it open', () => {
    const denying =
      (...deny: string[]) =>
      () =>
        parseConfig({ chains: [chain()], methods: { deny } }, {})
    expect(denying('eth_getLogs', 'eth_sendRawTransaction')).not.toThrow()
    expect(denying('eth_getlogs')).toThrow('invalid methods.deny; "eth_getlogs" is no method that is served')
  })

  test('the key of a caller is nowhere in the result', () => {
    const callers = [{ name: 'web', key: '${KEY}' }]
    const env = { KEY: 'planted-key-of-24-characters' }
    expect(JSON.stringify(parseConfig({ chains: [chain()], callers }, env))).not.toContain('planted')
  })

  test('two callers have neither one name nor one key', () => {
    const keyHash = 'ab'.repeat(32)
    const callers = [
      { name: 'web', keyHash },
      { name: 'web', keyHash: keyHash.toUpperCase() },
    ]
    expect(() => parseConfig({ chains: [chain()], callers }, {})).toThrow(
      /caller "web": duplicate name\n- two callers have one key/,
    )
  })

  test('addresses of the contract policy are kept in lower case', () => {
    const methods = { contracts: ['0xCA11bde05977b3631167028862bE2a173976CA11'] }
    expect(parseConfig({ chains: [chain()], methods }, {}).methods.contracts).toEqual([
      '0xca11bde05977b3631167028862be2a173976ca11',
    ])
  })
})

describe('what is read', () => {
  const hash = `0x${'Ab'.repeat(32)}`
  const urls = ['https://a.test/${KEY}', 'http://b.test']
  const ofPolygon = { headMaxAgeMs: 1000, headLagMaxMs: 600_000 }

  test.each<[Fields, Fields]>([
    [{ id: 137 }, ofPolygon],
    [{ id: 10 }, ofPolygon],
    [{ id: 1 }, { headMaxAgeMs: 2000 }],
    [{ id: 42161 }, { headMaxAgeMs: 500 }],
    [{ id: 1337 }, { headLagMaxMs: null }],
    [{ id: 31_337 }, { headLagMaxMs: null }],
    ...[137, 10, 1337, 31_337].flatMap((id) =>
      [5000, null].map((headLagMaxMs): [Fields, Fields] => [{ id, headLagMaxMs }, { headLagMaxMs }]),
    ),
    [{ quorum: 3 }, { quorum: 3 }],
    [{ quorum: 0.25 }, { quorum: 0.25 }],
    [{ operatorsMin: 3 }, { operatorsMin: 3 }],
    [
      { protect: 'bridge' },
      { protect: expect.objectContaining({ policy: 'bridge', all: true, methods: [] }) },
    ],
    [
      { protect: { methods: ['eth_call'] } },
      { protect: expect.objectContaining({ policy: 'standard', all: false }) },
    ],
    [{ checkpoint: { number: 5, hash } }, { checkpoint: { number: 5, hash: hash.toLowerCase() } }],
    [
      { id: 1, beacon: { urls, checkpoint: hash } },
      {
        beacon: {
          urls: ['https://a.test/secret', 'http://b.test'],
          checkpoint: hash.toLowerCase(),
          file: null,
        },
      },
    ],
  ])('a chain with %j has %j', (fields, expected) => {
    expect(parsed(fields, { KEY: 'secret' })).toEqual(expect.objectContaining(expected))
  })

  const oddNames = { constructor: '1', toString: '2', hasOwnProperty: '3', valueOf: '4', prototype: '5' }
  const oddNamesSent = { constructor: '1', tostring: '2', hasownproperty: '3', valueof: '4', prototype: '5' }
  const units = { eth_call: 26, eth_chainId: 0, default: 20 }

  test.each<[Fields, Fields]>([
    [{ community: true }, { stallMs: 2000 }],
    [{ community: true, stallMs: 900 }, { stallMs: 900 }],
    [
      {
        url: 'https://rpc.test/v1/${KEY}',
        headers: { Authorization: 'Bearer ${TOKEN}', 'x-both': '${KEY}${TOKEN}' },
      },
      { url: 'https://rpc.test/v1/k1', headers: { authorization: 'Bearer t1', 'x-both': 'k1t1' } },
    ],
    [{ url: '${URL}' }, { url: 'http://127.0.0.1:8545' }],
    // Values of the environment are not filled in again.
    [{ headers: { 'x-key': '${NESTED}' } }, { headers: { 'x-key': '${KEY}' } }],
    [{ headers: oddNames }, { headers: oddNamesSent }],
    // User info is decoded.
    [
      { url: 'https://us%C3%A9r:p%40ss@rpc.test/v1' },
      {
        url: 'https://rpc.test/v1',
        headers: { authorization: `Basic ${Buffer.from('usér:p@ss').toString('base64')}` },
      },
    ],
    [{ url: 'https://key@rpc.test' }, { headers: { authorization: `Basic ${btoa('key:')}` } }],
    ...['http://127.0.0.1:8545', 'http://[::1]:8545', 'http://10.0.0.7', 'http://anvil:8545'].map(
      (url): [Fields, Fields] => [{ url }, { url }],
    ),
    ...['a', 'A.b_c-9', 'x'.repeat(59), '...', '__proto__'].map((name): [Fields, Fields] => [
      { name },
      { name },
    ]),
    [{ batchCallsMax: 'auto' }, { batchCallsMax: 'auto' }],
    [{ units }, { units }],
    // The providers whose documents have a table.
    [{ units: 'alchemy' }, { units: expect.objectContaining({ eth_call: 26, default: 20 }) }],
    [{ units: 'ankr' }, { units: { default: 200 } }],
    [{ units: 'chainstack' }, { units: { default: 1 } }],
    [{ units: 'infura' }, { units: expect.objectContaining({ eth_getLogs: 255, default: 80 }) }],
    [{ units: 'quicknode' }, { units: { default: 20 } }],
  ])('a node with %j has %j', (fields, expected) => {
    const env = { KEY: 'k1', TOKEN: 't1', URL: 'http://127.0.0.1:8545', NESTED: '${KEY}' }
    expect(parsedNode(fields, env)).toEqual(expect.objectContaining(expected))
  })
})

describe('weight and quorum', () => {
  test('an operator has the weight of its heaviest enabled node', () => {
    const nodes = [
      node('x1', { weight: 4, operator: 'x' }),
      node('x2', { weight: 2, operator: 'x' }),
      node('y', { weight: 3 }),
      node('z', { weight: 500, enabled: false }),
    ]
    expect(parsed({ nodes })).toMatchObject({ total: 7, quorum: 3.5 })
  })

  test('a disabled node is left out', () => {
    const nodes = [node('a'), node('b', { enabled: false })]
    expect(parsed({ nodes }).nodes.map(({ name }) => name)).toEqual(['a'])
  })

  test('case 23: all errors at once, with chain and node', () => {
    const nodes = [0, 513, 1.5, '2'].map((weight, index) => node(`n${index}`, { weight }))
    const four = [node('a', { weight: 2 }), node('b', { weight: 2 })]
    const faults = faultsOf({
      chains: [chain({ nodes }), chain({ id: 1, nodes: four, quorum: 5, operatorsMin: 3 })],
    })
    expect(faults).toEqual([
      ...['n0', 'n1', 'n2', 'n3'].map(
        (name) => `chain 137, node "${name}": invalid weight; must be integer in [1, 512]`,
      ),
      'chain 1: quorum will always fail; larger than total weight',
      'chain 1: operatorsMin will always fail; larger than the number of operators',
    ])
  })

  test('another error does not hide the errors of the quorum', () => {
    const nodes = [node('a', { url: 'ftp://a' }), node('b')]
    expect(chainFaults({ nodes, quorum: 3, deadlineMs: 1 })).toEqual([
      'chain 137: invalid deadlineMs; must be integer in [10, 120000]',
      'chain 137, node "a": invalid url; must be http or https, without a fragment',
      'chain 137: quorum will always fail; larger than total weight',
    ])
  })
})

describe('what is refused', () => {
  const hash = `0x${'Ab'.repeat(32)}`
  const [a, b] = ['http://a.test', 'http://b.test']
  const beacon = (urls: readonly unknown[], fields: Fields = {}) => ({
    id: 1,
    beacon: { urls, checkpoint: hash, ...fields },
  })
  const ofX = ['x1', 'x2'].map((name) => node(name, { operator: 'x' }))
  const noUrl = 'must be an http or https url without user info'

  test.each<[Fields, ...string[]]>([
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, '2'].map((quorum): [Fields, string] => [
      { quorum },
      'invalid quorum; must be a finite number above 0, or null',
    ]),
    [{ quorum: 3.1 }, 'quorum will always fail; larger than total weight'],
    [{ nodes: ofX, operatorsMin: 2 }, 'operatorsMin will always fail; larger than the number of operators'],
    [{ operatorsMin: 0 }, 'invalid operatorsMin; must be integer in [1, 64]'],
    [{ nodes: [node('a', { enabled: false })] }, 'no voter is enabled'],
    [{ nodes: [] }, 'invalid nodes; must be at least one'],
    [{ protect: 'strict' }, 'invalid protect.policy; must be "standard" or "bridge"'],
    [{ protect: 'bridge', nodes: ofX }, 'protect "bridge" will always fail; it takes 3 operators'],
    [
      { checkpoint: { number: -1, hash } },
      'invalid checkpoint.number; must be integer in [0, 9007199254740991]',
    ],
    [{ checkpoint: { number: 5, hash: '0x12' } }, 'invalid checkpoint.hash; must be the hash of a block'],
    [{ checkpoint: 5 }, 'invalid checkpoint; must be an object'],
    [beacon([a]), 'invalid beacon.urls; must be at least two'],
    [beacon([a, b], { checkpoint: '0x1' }), 'invalid beacon.checkpoint; must be the root of a beacon block'],
    [beacon([a, b], { file: './beacon.json' }), 'invalid beacon.file; must be an absolute path'],
    [
      { explorer: 'javascript:alert(1)', publicUrls: ['https://key@rpc.test'] },
      `invalid explorer; ${noUrl}`,
      `invalid publicUrls; ${noUrl}`,
    ],
  ])('a chain with %j', (fields, ...faults) => {
    expect(chainFaults(fields)).toEqual(faults.map((fault) => `chain ${fields.id ?? 137}: ${fault}`))
  })

  test.each<[readonly string[], ...string[]]>([
    [[a, a], 'duplicate url'],
    [['https://a.test/${KEY}', b], 'environment variable KEY is not set'],
    [
      ['http://u:p@a.test', 'ftp://b.test'],
      'user info in a url; beacon APIs take none',
      'invalid url; must be http or https, without a fragment',
    ],
  ])('beacon APIs at %j', (urls, ...faults) => {
    expect(chainFaults(beacon(urls))).toEqual(faults.map((fault) => `chain 1, beacon: ${fault}`))
  })

  test('beacon APIs of another chain', () => {
    const faults = chainFaults({ ...beacon([a, b]), id: 137 })
    expect(faults).toEqual(['chain 137, beacon: only chain 1 has a sync committee'])
  })

  const noHeader = 'a name is no header name, or is set by the transport'
  const noReference = 'invalid reference to the environment; must be a name in braces after a dollar sign'
  const noUnits =
    'must be "alchemy", "ankr", "chainstack", "infura", "quicknode", or units in [0, 1000000] by method and "default", at most 200'

  test.each<[Fields, ...string[]]>([
    [{ headers: { 'x-key': 'a\r\nb: c' } }, 'invalid value of header "x-key"'],
    [{ headers: { 'x-key': '${LINE}' } }, 'invalid value of header "x-key"'],
    [{ headers: { 'X-Key': '1', 'x-key': '2' } }, 'duplicate header "x-key"'],
    [
      { headers: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`h${i}`, 'v'])) },
      'invalid headers; must be at most 32',
    ],
    [{ headers: { 'x key': 'v' } }, `invalid headers; ${noHeader}`],
    [{ headers: { Host: 'v' } }, `invalid headers.Host; ${noHeader}`],
    [{ headers: JSON.parse('{"x-key":"1","__proto__":"2"}') }, `invalid headers; ${noHeader}`],
    [{ headers: [] }, 'invalid headers; must be an object'],
    [
      { url: 'https://a:b@rpc.test', headers: { Authorization: 'x' } },
      'user info in the url and an authorization header; give one',
    ],
    [{ url: 'http://a/${toString}' }, 'environment variable toString is not set'],
    [
      { url: 'https://rpc.test/${MISSING}', headers: { 'x-key': '${EMPTY}' } },
      'environment variable EMPTY is empty',
      'environment variable MISSING is not set',
    ],
    ...['${', '${KEY', '${KEY:-x}', '${}', '${1}'].map((reference): [Fields, string] => [
      { url: `http://a/${reference}` },
      noReference,
    ]),
    ...[
      ...['', 'rpc.test', '/path', 'ftp://a', 'file:///etc/passwd', 'javascript:1', 'ws://a', 'http://'],
      ...['http://a/#k', 'http://%zz@a', 7],
    ].map((url): [Fields, string] => [{ url }, 'invalid url; must be http or https, without a fragment']),
    [{ batchCallsMax: 'Auto' }, 'invalid batchCallsMax; must be integer in [1, 1000], or "auto"'],
    ...['somebody', 7].map((units): [Fields, string] => [{ units }, `invalid units; ${noUnits}`]),
    [{ units: { eth_call: -1 } }, `invalid units.eth_call; ${noUnits}`],
    [{ units: { eth_call: '26' } }, `invalid units.eth_call; ${noUnits}`],
    [{ units: { call: 1 } }, `invalid units.call; ${noUnits}`],
    [{ units: { default: 1_000_001 } }, `invalid units.default; ${noUnits}`],
  ])('a node with %j', (fields, ...faults) => {
    expect(nodeFaults(fields, { KEY: 'k', LINE: 'a\n', EMPTY: '' })).toEqual(
      faults.map((fault) => `chain 137, node "a": ${fault}`),
    )
  })

  test('but what a disabled node lacks in the environment is no error', () => {
    const fields = { url: 'https://rpc.test/${MISSING}', headers: { 'x-key': '${EMPTY}' }, enabled: false }
    expect(chainFaults({ nodes: [node('a', fields), node('b')] })).toEqual([])
  })

  test.each<[Fields, Record<string, string>, ...string[]]>([
    [{}, {}, 'give keyHash or key'],
    [
      { key: 'k'.repeat(24) },
      {},
      'invalid key; must be a name of the environment, in braces after a dollar sign',
    ],
    [{ key: '${KEY}' }, { KEY: 'short' }, 'invalid key; must be 24 to 128 of A-Z, a-z, 0-9, "-", "_"'],
    [{ key: '${KEY}' }, {}, 'environment variable KEY is not set'],
    [
      { keyHash: 'ab', ips: ['10.0.0.0/33'], origins: ['app.example'] },
      {},
      'invalid keyHash; must be 64 hex digits, as `npm run key` prints them',
      'invalid origins; must be origins, such as "https://app.example"',
      'invalid ips; must be addresses, or ranges such as "198.51.100.0/24"',
    ],
  ])('a caller with %j', (fields, env, ...faults) => {
    const callers = [{ name: 'web', ...fields }]
    expect(faultsOf({ chains: [chain()], callers }, env)).toEqual(
      faults.map((fault) => `caller "web": ${fault}`),
    )
  })
})

describe('names', () => {
  test('duplicate chains and duplicate node names in a chain are refused', () => {
    const nodes = [node('a'), node('a')]
    expect(faultsOf({ chains: [chain({ nodes }), chain()] })).toEqual([
      'chain 137, node "a": duplicate name',
      'chain 137: duplicate chain',
    ])
    expect(faultsOf({ chains: [chain(), chain({ id: 1 })] })).toEqual([])
  })

  test('a plan is one: nodes that share it have one perMonth and one day', () => {
    const ofPlan = (name: string, more: object) => node(name, { plan: 'account', ...more })
    const others = (more: object) =>
      faultsOf({
        chains: [
          chain({ nodes: [ofPlan('a', { perMonth: 5 })] }),
          chain({ id: 1, nodes: [ofPlan('b', more)] }),
        ],
      })
    expect(others({ perMonth: 5 })).toEqual([])
    expect(others({})).toEqual(['plan "account": a node without perMonth'])
    const differ = ['plan "account": nodes with different perMonth or monthBegins']
    expect(others({ perMonth: 6 })).toEqual(differ)
    expect(others({ perMonth: 5, monthBegins: 2 })).toEqual(differ)
  })

  test.each(['', 'a b', 'ä', '.', '..', 'a/b', 'a"', 'a\n', 'x'.repeat(60), 7])(
    '%j is not a valid name',
    (name) => {
      expect(chainFaults({ nodes: [node('a', { name })] })).toEqual([
        'chain 137, nodes[0]: invalid name; must be 1 to 59 of A-Z, a-z, 0-9, ".", "_", "-"',
      ])
    },
  )

  test('unknown keys are errors at every depth', () => {
    const faults = faultsOf({
      chains: [chain({ nodes: [node('a', { wieght: 2 })], quorom: 1, currency: { nam: '' } })],
      limits: { bodyBytes: 1 },
      chain: 1,
    })
    expect(faults).toEqual(
      expect.arrayContaining([
        'unknown key "limits.bodyBytes"',
        'unknown key "chain"',
        'chain 137: unknown key "quorom"',
        'chain 137: unknown key "currency.nam"',
        'chain 137, node "a": unknown key "wieght"',
      ]),
    )
    expect(faultsOf(JSON.parse('{"__proto__":{},"chains":[]}'))).toContain('unknown key "__proto__"')
  })
})

test('no error repeats a secret', () => {
  const secret = 's3cr3t'
  fc.assert(
    fc.property(
      fc.constantFrom('ftp://', 'http://a/#', 'https://x:', '//', '\u0000', 'http://['),
      fc.constantFrom('', '\n', '\u007f', ' '),
      (before, after) => {
        const fields = { url: `${before}${secret}${after}`, headers: { 'x-key': `${secret}${after}\n` } }
        expect(nodeFaults(fields, {}).join()).not.toContain(secret)
        const filled = { url: '${KEY}', headers: { 'x-key': '${KEY}\n' } }
        expect(nodeFaults(filled, { KEY: `${before}${secret}${after}` }).join()).not.toContain(secret)
      },
    ),
  )
})

describe('bounds', () => {
  const inNode = (field: string) => (value: unknown) => nodeFaults({ [field]: value })
  const inChain = (field: string) => (value: unknown) => chainFaults({ [field]: value })
  const inPart = (part: string, field: string) => (value: unknown) =>
    faultsOf({ chains: [chain()], [part]: { [field]: value } })

  test.each<[string, number, number, (value: unknown) => readonly string[]]>([
    ['weight', 1, 512, inNode('weight')],
    ['priority', 0, 1000, inNode('priority')],
    ['stallMs', 1, 60_000, inNode('stallMs')],
    ['batchCallsMax', 1, 1000, inNode('batchCallsMax')],
    ['inFlightMax', 1, 10_000, inNode('inFlightMax')],
    ['perSecond', 1, 1_000_000, inNode('perSecond')],
    ['perDay', 1, 1_000_000_000, inNode('perDay')],
    ['perMonth', 1, Number.MAX_SAFE_INTEGER, inNode('perMonth')],
    ['monthBegins', 1, 31, inNode('monthBegins')],
    ['id', 1, Number.MAX_SAFE_INTEGER, inChain('id')],
    ['headMaxAgeMs', 10, 600_000, inChain('headMaxAgeMs')],
    ['headLagMaxMs', 1000, 2_592_000_000, inChain('headLagMaxMs')],
    ['deadlineMs', 10, 120_000, inChain('deadlineMs')],
    ['logsRangeMax', 1, 1_000_000, inChain('logsRangeMax')],
    ['limits.bodyBytesMax', 1024, 8_388_608, inPart('limits', 'bodyBytesMax')],
    ['limits.batchCallsMax', 1, 1000, inPart('limits', 'batchCallsMax')],
    ['limits.answerBytesMax', 1024, 67_108_864, inPart('limits', 'answerBytesMax')],
    ['limits.inFlightMax', 1, 100_000, inPart('limits', 'inFlightMax')],
    ['rate.costPerMinute', 1, 10_000_000, inPart('rate', 'costPerMinute')],
    ['rate.siteCallsPerSecond', 1, 1_000_000, inPart('rate', 'siteCallsPerSecond')],
    ['rate.trustedHops', 0, 16, inPart('rate', 'trustedHops')],
  ])('%s is an integer in [%i, %i]', (name, min, max, faults) => {
    expect([faults(min), faults(max)]).toEqual([[], []])
    for (const wrong of [min - 1, max + 1, min + 0.5, String(min), true, Number.NaN])
      expect(faults(wrong).join()).toContain(`invalid ${name}; must be integer in [${min}, ${max}]`)
  })

  test('at most 64 chains of 64 nodes', () => {
    const chains = Array.from({ length: 65 }, (_, index) => chain({ id: index + 1 }))
    const nodes = Array.from({ length: 65 }, (_, index) => node(`n${index}`, { operator: `o${index % 30}` }))
    expect(faultsOf({ chains: chains.slice(1) })).toEqual([])
    expect(faultsOf({ chains })).toEqual(['invalid chains; must be a list of at most 64'])
    expect(chainFaults({ nodes: nodes.slice(1) })).toEqual([])
    expect(chainFaults({ nodes })).toEqual(['chain 137: invalid nodes; must be a list of at most 64'])
  })

  test('at most 30 operators vote on a chain', () => {
    const nodes = Array.from({ length: 31 }, (_, index) => node(`n${index}`))
    expect(chainFaults({ nodes: nodes.slice(1) })).toEqual([])
    expect(chainFaults({ nodes })).toEqual(['chain 137: too many operators; at most 30'])
    expect(chainFaults({ nodes: nodes.with(0, node('n0', { enabled: false })) })).toEqual([])
  })

  test('only version 1 is supported', () => {
    expect(faultsOf({ version: 1, chains: [chain()] })).toEqual([])
    expect(faultsOf({ version: 2, chains: [chain()] })).toEqual(['invalid version; must be 1'])
  })
})

test('any input gives a configuration or a ConfigError', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, maxDepth: 4 }), (value) => {
      expect(faultsOf(value).length).toBeGreaterThan(0)
      expect(faultsOf({ chains: [value] }).length).toBeGreaterThan(0)
      expect(faultsOf({ chains: [chain({ nodes: [value] })] }).length).toBeGreaterThan(0)
      expect(() => faultsOf({ chains: [chain()], limits: value, rate: value, methods: value })).not.toThrow()
    }),
  )
})
